"""The commands about this machine: `setup`, `doctor`, and `completion`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sightread.cli.commands import CompletionCommand, DoctorCommand, SetupCommand
from sightread.cli.options import OneOf
from sightread.cli.parser import build_parser
from sightread.cli.run import print_json, print_message, print_result, write
from sightread.machine.doctor import Finding, check_browser, examine
from sightread.machine.install import InstallStep, find_missing, install, planned_steps, run_step
from sightread.machine.system import missing_scripts, this_system
from sightread.models.registry import MODELS
from sightread.render.errors import Unequipped

VALUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"model": ("auto", "site", *MODELS), "labeler": ("auto", "hdbscan", "published"), "colour_scheme": ("light", "dark")}
)
"""Values of options that take others too, by the option's destination."""
PATHS = ("FILE", "FOLDER", "PATH")
MARKS = {"ok": "[green]ok[/]", "warning": "[yellow]warning[/]", "problem": "[red]problem[/]"}


async def setup(options: SetupCommand) -> None:
    """Install a browser and fonts if they are missing, then read a page with the browser."""
    system = this_system()
    if options.dry_run:
        steps = [str(step) for step in planned_steps(system, find_missing())]
        if options.json:
            print_json({"steps": steps})
        else:
            write("".join(f"{step}\n" for step in steps) or "nothing is missing\n")
        return
    warnings: list[str] = []

    def run(step: InstallStep) -> None:
        if not options.json:
            print_message(f"{step.title} …")
        run_step(step)

    await asyncio.to_thread(install, system, run, warnings.append)
    browser = await check_browser()
    for warning in () if options.json else warnings:
        print_message(warning)
    print_result(
        {
            "browser": str(browser.path),
            "version": browser.version,
            "sandbox": not browser.unsandboxed if options.json else "off; see sightread doctor" if browser.unsandboxed else "on",
            "scripts_without_font": list(missing_scripts()),
        },
        json=options.json,
    )


async def doctor(options: DoctorCommand) -> int:
    """Check this machine; the exit code is 4 if something is a problem."""
    findings = await examine(options.browser, options.home)
    if options.json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_findings(findings, Console())
    return Unequipped.exit_code if any(finding.level == "problem" for finding in findings) else 0


def print_findings(findings: tuple[Finding, ...], console: Console) -> None:
    """Print one row per finding, its remedy below it."""
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        table.add_row(MARKS[finding.level], finding.name, escape(finding.value))
        if finding.remedy:
            table.add_row("", "", escape(f"→ {finding.remedy}"), style="bold")
    console.print(table)


async def completion(options: CompletionCommand) -> None:
    """Print the completion script of a shell."""
    write(completion_script(options.shell))


def completion_script(shell: str) -> str:
    """Return the completion script for bash, zsh or fish."""
    import shtab  # noqa: PLC0415  (for this command alone)

    parser = build_parser()
    for action in (action for command in parser.commands.values() for action in command._actions):
        if values := action.type.names() if isinstance(action.type, OneOf) else VALUES.get(action.dest, ()):
            action.choices = values
        elif any(word in str(action.metavar or action.dest).upper() for word in PATHS):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)
