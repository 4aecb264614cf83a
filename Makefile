# Every target sets up first; that takes no time where nothing is to be done.
PYTHON_TOOLS := .venv/bin

.PHONY: demo test soak lint types lock docs dist setup

# Bytecode is written whatever the environment is: the tests start hundreds of programs, each of which would compile every module again.
export PYTHONDONTWRITEBYTECODE =

demo: setup        ## learn the bundled site, and say where its report is
	$(PYTHON_TOOLS)/sightread demo --out build/demo

test: setup        ## two processes more than CPU cores, each with a browser of its own, and no threads of the linear algebra
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PYTHON_TOOLS)/pytest -n auto --dist loadfile

soak: setup        ## a minute of the soak test: service, crawler and batch at once
	OMP_NUM_THREADS=1 $(PYTHON_TOOLS)/python -m benchmarks soak --minutes 1 --batch 2000

lint: setup
	$(PYTHON_TOOLS)/ruff check
	$(PYTHON_TOOLS)/ruff format --check

types: setup
	$(PYTHON_TOOLS)/mypy

lock: setup        ## pin the newest packages; one lock for every platform, with hashes and no word of where they came from
	$(PYTHON_TOOLS)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	| $(PYTHON_TOOLS)/uv pip compile - pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file requirements.lock
	$(PYTHON_TOOLS)/uv pip compile --group frameworks --constraint requirements.lock --universal --python-version 3.11 --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file tests/sightread/integrations/frameworks.lock
	$(PYTHON_TOOLS)/uv pip compile --group clients --constraint requirements.lock --universal --python-version 3.11 --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file tests/sightread/server/compat/clients.lock
	$(PYTHON_TOOLS)/uv pip compile --group docs --universal --python-version 3.11 --upgrade --quiet --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --output-file docs.lock

docs: setup        ## this documentation as a site in build/docs; its packages are in an environment of their own, and cost users nothing
	@cmp -s docs.lock .venv/docs/docs.lock || { $(PYTHON_TOOLS)/python -m venv --clear .venv/docs \
	  && { $(PYTHON_TOOLS)/uv pip install --quiet --python .venv/docs --requirement docs.lock \
	  || .venv/docs/bin/python -m pip install --quiet --requirement docs.lock; } && cp docs.lock .venv/docs; }
	NO_MKDOCS_2_WARNING=1 .venv/docs/bin/mkdocs build --strict --quiet

dist: setup        ## the wheel and the source distribution, in dist/
	$(PYTHON_TOOLS)/uv build --quiet --no-build-isolation --python $(PYTHON_TOOLS)/python --out-dir dist

setup:
	@./setup.sh
