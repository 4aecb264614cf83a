"""`python -m benchmarks NAME`: the measurements behind the figures in the documents."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.datasets import output_paths as places
from benchmarks.datasets.samples import WCXB
from benchmarks.datasets.spider import SITES
from benchmarks.experiments import (
    ablations,
    agreement,
    beside,
    built_sites,
    clusterings,
    confidence,
    demo,
    drift,
    gold,
    kills,
    markdown,
    mutations,
    pool,
    render,
    scale,
    semtext,
    service_load,
    sites,
    snapshot,
    soak,
    static_speed,
    strangers,
    tables,
    waiting,
    walls,
    wcxb,
    web2text,
    web2text_speed,
)
from benchmarks.runner.arguments import add_comparison
from benchmarks.sites import build as build_sites
from benchmarks.training import boilerpipe as train_boilerpipe
from benchmarks.training import global_model as train_global
from benchmarks.training import neural as train_neural
from benchmarks.training import web2text as train_web2text
from classify.general.network import FIT
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
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write tables.md and tables.csv there")
    command.set_defaults(run=lambda options: tables.run(options.data, options.out))

    command = commands.add_parser("gold", parents=[with_data], help="labels and site models against text that people chose, beside others")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write gold.md and gold.csv there, and keep the renders")
    command.set_defaults(run=lambda options: gold.run(options.data, options.out))

    command = commands.add_parser("confidence", parents=[with_data], help="calibration of the labeler's confidence")
    command.add_argument("--resamples", type=int, default=20, metavar="N", help="random parts of each site and size (default: %(default)s)")
    command.set_defaults(run=lambda options: confidence.run(options.data, options.resamples))

    command = commands.add_parser("scale", parents=[with_data], help="seconds and memory of the labeler, up to a million blocks")
    command.add_argument("--most", type=int, default=scale.SIZES[-1], metavar="N", help="leave out larger sizes (default: %(default)s)")
    command.add_argument(
        "--out", type=places.folder, metavar="FOLDER", help="write the growth curves there, as scale.svg, scale.md and scale.csv"
    )
    command.set_defaults(run=lambda options: scale.run(options.data, options.most, options.out))

    command = commands.add_parser("clusterings", parents=[with_data], help="labels by DBSCAN and by HDBSCAN, with noise and on few pages")
    command.set_defaults(run=lambda options: clusterings.run(options.data))

    command = commands.add_parser("convert", parents=[with_data], help="write one of the authors' sites as a corpus for the command line")
    command.add_argument("site", choices=(*SITES, "chaos"))
    command.add_argument("folder", type=Path)
    command.set_defaults(run=lambda options: sites.convert_site(options.data, options.site, options.folder))

    command = commands.add_parser("strangers", parents=[with_data], help="shipped models on the authors' pages, as sites never seen")
    command.add_argument(
        "--models", nargs="+", default=["global", "global-linear", "boilerpipe"], metavar="NAME", help="(default: %(default)s)"
    )
    command.set_defaults(run=lambda options: strangers.run(options.data, options.models))

    command = commands.add_parser("wcxb", parents=[with_data], help="extract pages of WCXB dev, rendered and static")
    command.add_argument("--pages", type=int, default=100)
    command.add_argument("--model", default="auto")
    command.set_defaults(run=lambda options: wcxb.run(options.data, options.pages, options.model))

    command = commands.add_parser("markdown", parents=[with_data], help="what of lists, tables, code, links and images is in the Markdown")
    command.add_argument("--pages", type=int, default=1497)
    command.add_argument("--model", default="global")
    command.set_defaults(run=lambda options: markdown.run(options.data, options.pages, options.model))

    command = commands.add_parser("beside", parents=[with_data], help="pictures of pages beside their Markdown, to look at")
    command.add_argument("--sets", nargs="+", default=(WCXB,), metavar="SET", help="(default: %(default)s)")
    command.add_argument("--pages", type=int, default=200, metavar="N", help="pages of each set, at even distances (default: %(default)s)")
    command.add_argument("--model", default="global")
    command.add_argument("--out", type=places.folder, required=True, metavar="FOLDER", help="where the pictures are written")
    command.set_defaults(run=lambda options: beside.run(options.data, options.sets, options.pages, options.model, options.out))

    command = commands.add_parser("train-global", parents=[with_data], help="train the global model, scored on sites not seen")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write the models that are fitted to all pages there")
    command.add_argument("--renders", type=places.folder, metavar="FOLDER", help="score rendered pages too, and keep them there")
    command.add_argument("--trees-alone", action="store_true", help="fit no network: needs no PyTorch, and takes less time")
    command.set_defaults(
        run=lambda options: train_global.run(options.data, options.out, options.renders, None if options.trees_alone else FIT)
    )

    command = commands.add_parser("ablations", parents=[with_data], help="what each group of features is worth on rendered pages, WCXB dev")
    command.add_argument("--renders", type=places.folder, required=True, metavar="FOLDER", help="keep the rendered pages there")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write ablations.md there")
    command.set_defaults(run=lambda options: ablations.run(options.data, options.renders, options.out))

    for name in train_neural.MODELS:
        command = commands.add_parser(f"train-{name}", parents=[with_data], help=f"train {name} on WCXB dev, scored on sites not seen")
        command.add_argument("--out", type=places.file, metavar="FILE", help="write the model that is fitted to all pages there")
        command.set_defaults(run=lambda options, name=name: train_neural.run(options.data, name, options.out))

    command = commands.add_parser("semtext", parents=[with_data], help="SemText and BoilerNet by SemText's protocol, on CleanEval and WCXB")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write semtext.md and the two tuned models there")
    command.set_defaults(run=lambda options: semtext.run(options.data, options.out))

    command = commands.add_parser("boilerpipe", parents=[with_data], help="Boilerpipe's experiments on L3S-GN1, by block and by token")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write boilerpipe.md, boilerpipe.csv and its pictures there")
    command.set_defaults(run=_boilerpipe)

    command = commands.add_parser("train-boilerpipe", parents=[with_data], help="train the Boilerpipe tree, beside the published ones")
    command.add_argument("--out", type=places.file, metavar="FILE", help="write the model that is fitted to all pages there")
    command.set_defaults(run=lambda options: train_boilerpipe.run(options.data, options.out))

    command = commands.add_parser("web2text", parents=[with_data], help="Web2Text on CleanEval, block by block, in the paper's splits")
    command.add_argument("--splits", type=int, default=web2text.SPLITS, metavar="N", help="random larger splits (default: %(default)s)")
    command.set_defaults(run=lambda options: web2text.run(options.data, options.splits))

    command = commands.add_parser("web2text-speed", parents=[with_data], help="CPU time of Web2Text from HTML to text")
    command.add_argument("--pages", type=int, default=300, metavar="N", help="pages of each set (default: %(default)s)")
    command.set_defaults(run=lambda options: web2text_speed.run(options.data, options.pages))

    command = commands.add_parser("train-web2text", parents=[with_data], help="train the Web2Text that ships, scored on sites not seen")
    command.add_argument("--out", type=places.file, metavar="FILE", help="write the model that is fitted to all pages there")
    command.set_defaults(run=lambda options: train_web2text.run(options.data, options.out))

    command = commands.add_parser("static", parents=[with_data], help="CPU time from bytes to Markdown without a browser, beside others")
    command.add_argument("--pages", type=int, default=300, metavar="N", help="pages at even distances (default: %(default)s)")
    command.set_defaults(run=lambda options: static_speed.run(options.data, options.pages))

    command = commands.add_parser("drift", parents=[with_data], help="detection of redesigns, and acceptance of refreshes")
    command.set_defaults(run=lambda options: drift.run(options.data))

    command = commands.add_parser("render", parents=[with_data], help="what collecting a page costs beside navigating to it")
    command.add_argument("--pages", type=int, default=200)
    command.add_argument("--no-scripts", action="store_true", help="with the pages' scripts off, as stored pages are rendered")
    command.set_defaults(run=lambda options: render.run(options.data, options.pages, not options.no_scripts))

    command = commands.add_parser("waiting", parents=[with_data], help="what waiting for a page adds to its load event")
    command.add_argument("--pages", type=int, default=60)
    command.set_defaults(run=lambda options: waiting.run(options.data, options.pages))

    command = commands.add_parser("walls", parents=[with_data], help="what is called a wall among pages that people read")
    command.set_defaults(run=lambda options: walls.run(options.data))

    command = commands.add_parser("service-load", parents=[with_data], help="the service under many clients and large pages")
    command.add_argument("--clients", type=int, default=64, metavar="N", help="at once (default: %(default)s)")
    command.add_argument("--seconds", type=float, default=60.0, metavar="S", help="(default: %(default)g)")
    command.set_defaults(run=lambda options: service_load.run(options.data, options.clients, options.seconds))

    command = commands.add_parser(
        "snapshot", parents=[with_data], help="digests of all results on fixed pages, before and after a refactoring"
    )
    command.add_argument("out", type=Path, metavar="FILE", help="where to write them")
    command.add_argument("--pages", type=int, default=200, metavar="N", help="of all data sets (default: %(default)s)")
    command.add_argument("--check", type=Path, metavar="FILE", help="digests of a former run, to compare with")
    command.set_defaults(run=lambda options: snapshot.run(options.data, options.out, options.pages, options.check))

    command = commands.add_parser("mutations", parents=[with_data], help="pages damaged at random raise our own errors alone")
    command.add_argument("--pages", type=int, default=10_000, metavar="N", help="read without a browser (default: %(default)s)")
    command.add_argument("--rendered", type=int, default=500, metavar="N", help="read with a browser (default: %(default)s)")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="of the pages and their mutations (default: %(default)s)")
    command.add_argument("--out", type=places.folder, metavar="FOLDER", help="write the pages that fail there")
    command.set_defaults(run=lambda o: mutations.run(o.data, o.pages, o.rendered, o.seed, o.out))

    command = commands.add_parser("agreement", parents=[with_data], help="pages read without a browser against rendered ones")
    command.add_argument("--pages", type=int, default=500, metavar="N", help="at even distances in all data sets (default: %(default)s)")
    command.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="read HTML files with their style sheets instead, one folder per site"
    )
    command.set_defaults(run=lambda options: agreement.run_agreement(options.data, options.pages, options.folder))

    command = commands.add_parser("determinism", parents=[with_data], help="whether rendering the same stored page again gives the same")
    command.add_argument("--pages", type=int, default=50)
    command.add_argument("--times", type=int, default=render.REPEATS)
    command.set_defaults(run=lambda options: agreement.run_determinism(options.data, options.pages, options.times))

    command = commands.add_parser("demo", help="labels, model and extraction of the demo site against its gold labels")
    command.set_defaults(run=lambda _: demo.run())

    command = commands.add_parser("pool", parents=[with_data], help="pages per second and CPU time per page, beside crawl4ai and crawlee")
    command.add_argument("--pages", type=int, default=200)
    command.add_argument("--widths", type=int, nargs="+", default=(1, 2, 3, 4), metavar="N", help="pages at once (default: 1 to 4)")
    command.add_argument("--peers", type=Path, metavar="PYTHON", help="an interpreter that has crawl4ai and crawlee")
    command.add_argument(
        "--patience",
        type=float,
        default=pool.PATIENCE,
        metavar="S",
        help="seconds per page before an engine is ended (default: %(default)g)",
    )
    command.set_defaults(run=lambda options: pool.run(options.data, options.pages, options.widths, options.peers, options.patience))

    command = commands.add_parser("soak", parents=[with_data], help="memory, leftovers and lost pages over thousands of pages")
    command.add_argument("--pages", type=int, default=3000)
    command.add_argument("--kill-every", type=float, default=0, metavar="S", help="kill a process of the browser about every S seconds")
    command.set_defaults(run=lambda options: soak.run(options.data, options.pages, options.kill_every))

    command = commands.add_parser("kills", help="kill the job in each of its steps and compare what the next run ends with")
    command.add_argument("--times", type=int, default=10, help="kills in each step (default: %(default)s)")
    command.set_defaults(run=lambda options: kills.run(options.times))

    command = commands.add_parser(
        "build-sites", parents=[with_data], help="build sites of real themes and packaged manuals, with exact gold"
    )
    command.add_argument("out", type=places.folder, metavar="OUT", help="folder of the sites; what is there already is not built again")
    command.add_argument("--only", nargs="+", default=[], metavar="SITE", help="the sites to build (default: all)")
    command.set_defaults(run=lambda options: build_sites.run(options.data, options.out, options.only))

    command = commands.add_parser(
        "site-scores", help="built sites learned as `learn` does it, beside the global model and other extractors"
    )
    command.add_argument("sites", type=Path, metavar="SITES", help="the folder of build-sites")
    command.add_argument("--parts", nargs="+", default=[], choices=("choose", "calibrate", "final"), help="parts to score (default: all)")
    command.add_argument("--only", nargs="+", default=[], metavar="SITE", help="sites to score (default: all)")
    command.add_argument("--pages", type=int, default=0, metavar="N", help="pages to learn from, at even distances (default: all)")
    command.set_defaults(run=lambda options: built_sites.run(options.sites, options.parts, options.only, options.pages))

    add_comparison(commands, with_data)

    options = parser.parse_args()
    try:
        result: int = options.run(options)
    except SightreadError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return error.exit_code
    return result


def _boilerpipe(options: argparse.Namespace) -> int:
    from benchmarks.experiments import boilerpipe  # noqa: PLC0415  (matplotlib takes a second to import)

    return boilerpipe.run(options.data, options.out)


if __name__ == "__main__":
    sys.exit(main())
