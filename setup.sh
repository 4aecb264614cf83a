#!/usr/bin/env bash
# Makes everything that sightread needs, and does nothing where it is already there: .venv with the pinned packages (bytecode compiled)
# and the project itself, a Chromium, and fonts for the scripts that it reads (as `sightread setup` does). Needs root only to install a
# browser from the distribution.
#   PYTHON             interpreter to use, 3.11 or later (default: the first that fits)
#   SIGHTREAD_BROWSER  Chromium to use (default: see `find_browser` in render/browser/find_browser.py)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

venv=$PWD/.venv
stamp=$venv/.setup-stamp
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
can_apt() { [ "$(id -u)" = 0 ] && has apt-get; }

apt_install() { # package...
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2015
    apt-get -qq update && apt-get -qq install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# ---- Python ----

suits() { "$1" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if suits "$candidate"; then echo "$candidate" && return; fi
    done
    return 1
}

fingerprint() { # what the environment is made from: a change of any makes it anew
    { cat requirements.lock pyproject.toml && echo "$venv" && "$1" -V; } | cksum
}

install_packages() {
    local python=$1
    "$venv/bin/python" -c '' 2>/dev/null || "$python" -m venv --clear "$venv"
    # pip, not a faster installer: it honours the indexes and certificates that this machine's pip is configured for.
    "$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-deps --require-hashes -r requirements.lock
    "$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
}

# ---- browser and fonts ----

machine() { # python command: sightread/machine/install.py, which needs no packages
    PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1 "$1" -m sightread.machine.install "$2"
}

# ---- the whole ----

python=$(find_python) || {
    can_apt || die "no Python 3.11 or later with venv: install python3 and python3-venv, or name one in PYTHON"
    say "installing Python"
    apt_install python3 python3-venv >"$log" 2>&1 </dev/null || { cat "$log" >&2 && die "the distribution's Python did not install"; }
    python=$(find_python) || die "the distribution's Python is older than 3.11: install a later one and name it in PYTHON"
}

system=
missing=0
machine "$python" check || missing=$?
[ "$missing" -le 1 ] || exit "$missing"
if [ "$missing" = 1 ] && can_apt; then # beside pip
    say "installing a browser and fonts"
    machine "$python" packages >"$log" 2>&1 </dev/null &
    system=$!
fi

if [ "$(cat "$stamp" 2>/dev/null)" != "$(fingerprint "$python")" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    say "installing packages in .venv"
    rm -f "$stamp"
    install_packages "$python" </dev/null || die "the packages did not install: see above"
    fingerprint "$python" >"$stamp"
fi

if [ -n "$system" ] && ! wait "$system"; then
    cat "$log" >&2
fi
if [ "$missing" = 1 ]; then
    machine "$venv/bin/python" rest # Playwright's browser if the distribution has none; fonts that are missing are a warning
fi
