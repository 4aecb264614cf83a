"""Style sheets of Tailwind 4, made from the classes of a site's pages."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import install_packages, run_program

_PACKAGES = ("tailwindcss@4.3.3", "@tailwindcss/cli@4.3.3", "@tailwindcss/typography@0.5.20")


def write_tailwind(project: Path, style: Path) -> None:
    """Write the style sheet of the pages in the project's folder `html`."""
    tools = project.parents[2]
    install_packages(tools / "tailwind-4", _PACKAGES, "npm")
    modules = (tools / "tailwind-4/node_modules").resolve()
    (project / "node_modules").symlink_to(modules)
    source = '@import "tailwindcss" source("./html");\n@plugin "@tailwindcss/typography";\n'
    write_text(project / "tailwind.css", source)
    command = ["node", str(modules / "@tailwindcss/cli/dist/index.mjs"), "-i", "tailwind.css", "-o", str(style.resolve()), "--minify"]
    run_program(command, project, tools)
