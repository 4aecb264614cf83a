"""`python -m benchmarks NAME`: the measurements behind the figures in the documents."""

from __future__ import annotations

import argparse
import sys

from benchmarks.commands import list_commands
from sightread.render.errors import SightreadError


def main() -> int:
    """Run one measurement and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    try:
        for listed in list_commands():
            of_command = names.add_parser(listed.name, help=listed.help)
            if listed.name in sys.argv[1:2]:
                command = listed.load()
                command.add_to(of_command)
        options = parser.parse_args()
        return command.run(options)
    except SightreadError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
