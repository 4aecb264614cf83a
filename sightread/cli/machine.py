"""The commands about this machine: `setup`, `doctor`, and `completion`, whose scripts are made from the parsers of the commands."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import NamedTuple, Self

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sightread.cli.commands import CompletionCommand, DoctorCommand, SetupCommand
from sightread.cli.options import OneOf
from sightread.cli.parser import CommandParser, build_parser
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


class Word(NamedTuple):
    """An option, or a positional argument if `name` is empty, as the scripts complete it."""

    name: str
    help: str
    takes_value: bool
    values: tuple[str, ...]
    path: bool
    """Whether its value can be the name of a file or folder."""

    @classmethod
    def of(cls, parser: CommandParser, action: argparse.Action) -> Self:
        """Return the word of one of the parser's arguments."""
        values = action.type.names() if isinstance(action.type, OneOf) else VALUES.get(action.dest, ())
        help = " ".join(parser._get_formatter()._expand_help(action).split()) if action.help else ""
        is_path = any(word in str(action.metavar or action.dest).upper() for word in PATHS)
        return cls(max(action.option_strings, key=len, default=""), help, action.nargs != 0, tuple(values), is_path)


class CommandWords:
    """A command with its options, and all that its positional arguments can be."""

    def __init__(self, name: str, parser: CommandParser) -> None:
        words = [Word.of(parser, action) for action in parser._actions]
        self.name, self.help = name, (parser.description or "").removesuffix(".")
        self.options = [word for word in words if word.name]
        self.values = tuple(value for word in words if not word.name for value in word.values)
        self.takes_path = any(word.path for word in words if not word.name)


def completion_script(shell: str) -> str:
    """Return the completion script for bash, zsh or fish."""
    writers: Mapping[str, Callable[[list[CommandWords]], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    return "\n".join(writers[shell]([CommandWords(*each) for each in build_parser().commands.items()])) + "\n"


def _bash(commands: list[CommandWords]) -> Iterator[str]:
    yield '# Completion of sightread in bash. In ~/.bashrc: eval "$(sightread completion bash)"'
    yield "_sightread() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} words= paths="
    yield "    COMPREPLY=()"
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f"        words={shlex.quote(' '.join(command.name for command in commands))}"
    yield "    else"
    yield '        case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in'
    for command in commands:
        for option in command.options:
            if option.takes_value:
                found = f"words={shlex.quote(' '.join(option.values))}" if option.values else "paths=1" if option.path else ":"
                yield f'        "{command.name} {option.name}") {found} ;;'
    yield '        *) case "${COMP_WORDS[1]} $current" in'
    for command in commands:
        yield f'            "{command.name} -"*) words={shlex.quote(" ".join(option.name for option in command.options))} ;;'
        yield f'            "{command.name} "*) words={shlex.quote(" ".join(command.values))} paths={int(command.takes_path) or ""} ;;'
    yield "            esac ;;"
    yield "        esac"
    yield "    fi"
    yield '    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "    local IFS=$'\\n'  # file names with spaces"
    yield '    [ -z "$paths" ] || { compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$current")); }'
    yield "}"
    yield "complete -F _sightread sightread"


def _zsh(commands: list[CommandWords]) -> Iterator[str]:
    yield "#compdef sightread"
    yield '# Completion of sightread in zsh. In ~/.zshrc, after compinit: eval "$(sightread completion zsh)"'
    yield "_sightread() {"
    yield "    local -a commands=("
    for command in commands:
        yield f"        {shlex.quote(f'{command.name}:{command.help}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "    shift words; (( CURRENT-- ))"
    yield "    case $words[1] in"
    for command in commands:
        yield f"    {command.name}) _arguments \\"
        for option in command.options:
            yield f"        {shlex.quote(f'*{option.name}[{_zsh_text(option.help)}]{_zsh_value(option)}')} \\"
        yield f"        {shlex.quote('*:argument:' + (_zsh_words(command.values) or ('_files' if command.takes_path else ' ')))} ;;"
    yield "    esac"
    yield "}"
    yield "compdef _sightread sightread"


def _zsh_text(text: str) -> str:
    return text.replace("\\", "").replace("[", "(").replace("]", ")").replace(":", "\\:")


def _zsh_value(option: Word) -> str:
    if not option.takes_value:
        return ""
    return ":value:" + (_zsh_words(option.values) or ("_files" if option.path else " "))


def _zsh_words(words: tuple[str, ...]) -> str:
    return f"({' '.join(words)})" if words else ""


def _fish(commands: list[CommandWords]) -> Iterator[str]:
    yield "# Completion of sightread in fish. In ~/.config/fish/config.fish: sightread completion fish | source"
    yield "complete -c sightread -f"
    for command in commands:
        yield f"complete -c sightread -n __fish_use_subcommand -a {command.name} -d {shlex.quote(command.help)}"
    for command in commands:
        seen = f"complete -c sightread -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            value = " -r" * option.takes_value + f" -a {shlex.quote(' '.join(option.values))}" * bool(option.values) + " -F" * option.path
            yield f"{seen} -l {option.name.lstrip('-')}{value} -d {shlex.quote(option.help)}"
        if command.values:
            yield f"{seen} -a {shlex.quote(' '.join(command.values))}"
        if command.takes_path:
            yield f"{seen} -F"
