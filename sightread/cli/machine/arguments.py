"""Arguments and option records of the commands about this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightread.cli.options.argument_types import choice

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class SetupCommand:
    """Options of `setup`."""

    dry_run: bool
    json: bool


@dataclass(frozen=True, slots=True)
class DoctorCommand:
    """Options of `doctor`."""

    browser: Path | None
    home: Path | None
    json: bool


@dataclass(frozen=True, slots=True)
class CompletionCommand:
    """Options of `completion`."""

    shell: str


def add_machine_commands(command: Any) -> None:
    """Add the commands to the parser; `command` makes the parser of one, from name, synopsis and help."""
    setup = command("setup", "[options]", "install what is missing here: a browser and fonts")
    setup.set_defaults(module="machine.commands", record=SetupCommand)
    setup.add_argument("--dry-run", action="store_true", help="print the commands that would run, and run none")
    doctor = command("doctor", "[options]", "check this machine: browser, sandbox, fonts, memory, disk, data folder, proxy")
    doctor.set_defaults(module="machine.commands", record=DoctorCommand)
    doctor.add_argument(
        "--browser", type=Path, metavar="FILE", help="the Chromium to check (else SIGHTREAD_BROWSER, else one that is found)"
    )
    doctor.add_argument(
        "--home", type=Path, metavar="FOLDER", help="where learned sites are kept (else SIGHTREAD_HOME, else your data folder)"
    )
    for parser in (setup, doctor):
        parser.add_argument("--json", action="store_true", help="print the result as one line of JSON, and no progress")
    completion = command("completion", "SHELL", "print a script with which a shell completes commands, options and their values")
    completion.set_defaults(module="machine.commands", record=CompletionCommand)
    completion.add_argument("shell", type=choice(*SHELLS), metavar="SHELL", help=", ".join(SHELLS))
