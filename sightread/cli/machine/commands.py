"""`sightread setup`, `sightread doctor` and `sightread completion`."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

import msgspec
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sightread.cli.machine.arguments import CompletionCommand, DoctorCommand, SetupCommand
from sightread.cli.machine.completion import completion_script
from sightread.cli.output import print_message, print_result, write
from sightread.machine.browser_check import check_browser
from sightread.machine.doctor import Finding, examine
from sightread.machine.fonts import missing_scripts
from sightread.machine.install import InstallStep, find_missing, install, planned_steps, run_step
from sightread.machine.system import this_system
from sightread.render.errors import Unequipped

MARKS = {"ok": "[green]ok[/]", "warning": "[yellow]warning[/]", "problem": "[red]problem[/]"}


async def setup(options: SetupCommand) -> int:
    """Install a browser and fonts if they are missing, then read a page with the browser."""
    system = this_system()
    if options.dry_run:
        steps = [str(step) for step in planned_steps(system, find_missing())]
        if options.json:
            print_result({"steps": steps}, json=True)
        else:
            write("".join(f"{step}\n" for step in steps) or "nothing is missing\n")
        return 0
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
            "sandbox": browser.sandboxed if options.json else "on" if browser.sandboxed else "off; see sightread doctor",
            "scripts_without_font": list(missing_scripts()),
        },
        json=options.json,
    )
    return 0


async def doctor(options: DoctorCommand) -> int:
    """Check this machine; the exit code is 4 if something is a problem."""
    findings = await examine(options.browser, options.home)
    if options.json:
        write(msgspec.json.encode([asdict(finding) for finding in findings]).decode() + "\n")
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


async def completion(options: CompletionCommand) -> int:
    """Print the completion script of a shell."""
    write(completion_script(options.shell))
    return 0
