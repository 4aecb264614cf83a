"""`python -m benchmarks NAME`: the measurements behind the figures in the documents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import demo, kills, scale, sites, tables, wcxb
from benchmarks.spider import SITES
from render.errors import SightreadError


def main() -> int:
    """Run one measurement and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True, metavar="NAME")

    with_data = argparse.ArgumentParser(add_help=False)
    with_data.add_argument("--data", type=Path, metavar="FOLDER", help="the folder of the data sets (else SIGHTREAD_DATA)")

    command = commands.add_parser("sites", parents=[with_data], help="label, train and evaluate the original authors' seven sites")
    command.set_defaults(run=lambda options: sites.run(options.data))

    command = commands.add_parser("spider", parents=[with_data], help="the paper's Tables 2 to 8 on the original authors' pages")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="write tables.md and tables.csv there")
    command.set_defaults(run=lambda options: tables.run(options.data, options.out))

    command = commands.add_parser("scale", parents=[with_data], help="seconds and memory of the labeler, up to a million blocks")
    command.add_argument("--most", type=int, default=scale.SIZES[-1], metavar="N", help="leave out larger sizes (default: %(default)s)")
    command.set_defaults(run=lambda options: scale.run(options.data, options.most))

    command = commands.add_parser("convert", parents=[with_data], help="write one of the authors' sites as a corpus for the command line")
    command.add_argument("site", choices=(*SITES, "chaos"))
    command.add_argument("folder", type=Path)
    command.set_defaults(run=lambda options: sites.convert_site(options.data, options.site, options.folder))

    command = commands.add_parser("wcxb", parents=[with_data], help="extract pages of WCXB dev, rendered and static")
    command.add_argument("--pages", type=int, default=100)
    command.add_argument("--model", default="auto")
    command.set_defaults(run=lambda options: wcxb.run(options.data, options.pages, options.model))

    command = commands.add_parser("demo", help="labels, model and extraction of the demo site against its gold labels")
    command.set_defaults(run=lambda _: demo.run())

    command = commands.add_parser("kills", help="kill the job in each of its steps and compare what the next run ends with")
    command.add_argument("--times", type=int, default=10, help="kills in each step (default: %(default)s)")
    command.set_defaults(run=lambda options: kills.run(options.times))

    options = parser.parse_args()
    try:
        result: int = options.run(options)
    except SightreadError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return error.exit_code
    return result


if __name__ == "__main__":
    sys.exit(main())
