"""Products of a shop in the style sheets of Foundation, and homes for sale in those of Materialize: the pages around them are ours."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.applications.communities import price
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html, write_media

_PRODUCT = Template("""<!doctype html><html lang="$language" dir="$direction"><head><meta charset="utf-8"><title>$title - $name</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="foundation.min.css"><style>
.top-bar { padding: .75rem 1.5rem } .foot { background: #0a0a0a; color: #cacaca; padding: 2.5rem 0; margin-top: 3rem } .foot a { color:
#fefefe }
.foot h6 { color: #fefefe } .description table td, .description table th { text-align: start } .description pre { overflow: auto;
background: #f4f4f4; padding: 1rem; margin-bottom: 1rem }
.description h2 { font-size: 1.75rem } .description h3 { font-size: 1.35rem }
</style></head><body>
<div class="top-bar"><div class="top-bar-left"><ul class="menu"><li class="menu-text">$name</li>$menu</ul></div><div class="top-bar-right">
<ul class="menu"><li><input type="search" placeholder="Search"></li><li><button type="button" class="button">Search</button></li>
<li><a href="/">Account</a></li><li><a href="/">Basket <span class="badge">$basket</span></a></li></ul></div></div>
<div class="grid-container"><nav aria-label="You are here" style="margin-top: 1rem"><ul class="breadcrumbs"><li><a href="/">Home</a></li>
<li><a href="/">$category</a></li><li>$title</li></ul></nav>
<div class="grid-x grid-margin-x"><div class="cell medium-6"><img class="thumbnail" src="figure-$figure.png" alt="" width="650">
<div class="grid-x grid-padding-x small-up-4">$pictures</div></div>
<div class="cell medium-5 medium-offset-1"><h1 class="h3">$title</h1><p class="lead">$summary</p><p class="stat">€$price</p>
<form><label>Quantity<select><option>1</option><option>2</option><option>3</option></select></label>
<a href="/" class="button large expanded">Add to basket</a><div class="small secondary expanded button-group">
<a class="button">Share</a><a class="button">Wish list</a><a class="button">Print</a></div></form>
<div class="callout secondary"><small>Free delivery from €60. Returns within thirty days.</small></div></div></div><hr>
<div class="grid-x grid-margin-x"><div class="cell medium-8"><div class="description">$body</div><h2 class="h4">Specifications</h2>
<table class="hover"><tbody>$facts</tbody></table></div>
<aside class="cell medium-4"><div class="callout"><h5>Shop with care</h5><p>Questions about a delivery? Write to the harbour shop,
weekdays from nine to four.</p><a href="/">Contact us</a></div><h5>Seen lately</h5>$seen</aside></div>
<hr><h4>Similar products</h4><div class="grid-x grid-margin-x small-up-2 medium-up-4">$others</div></div>
<footer class="foot"><div class="grid-container"><div class="grid-x grid-margin-x"><div class="cell medium-3"><h6>Shop</h6>
<ul class="menu vertical">$menu</ul></div><div class="cell medium-3"><h6>Help</h6><ul class="menu vertical"><li><a
href="/">Delivery</a></li>
<li><a href="/">Returns</a></li><li><a href="/">Sizes</a></li></ul></div><div class="cell medium-6"><h6>Letters from the harbour</h6>
<div class="input-group"><input class="input-group-field" type="email" placeholder="Your address"><div class="input-group-button">
<input type="submit" class="button" value="Subscribe"></div></div><small>$name, 12 Ferry Lane, Northport</small></div></div></div></footer>
</body></html>
""")
_CATEGORIES = ("Ropes", "Lanterns", "Charts", "Clothes", "Tools")
_SPECIFICATIONS = (
    ("Material", ("Oak", "Brass", "Hemp", "Wool")),
    ("Weight", ("2 kg", "350 g", "12 kg")),
    ("Made in", ("Northport", "Quay")),
    ("Guarantee", ("2 years", "5 years", "10 years")),
)

_HOME = Template("""<!doctype html><html lang="$language" dir="$direction"><head><meta charset="utf-8"><title>$title | $name</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="materialize.min.css"><style>
nav .brand-logo { padding-left: 24px; font-size: 1.6rem } nav ul.links { margin-left: 260px } .breadcrumb:before { content: "/" !important;
font-family: inherit !important } .where { box-shadow: none; height: 48px; line-height: 48px } .text h2 { font-size: 1.9rem }
.text h3 { font-size: 1.5rem }
h1 { font-size: 2.6rem } .text pre { overflow: auto; background: #eceff1; padding: 12px } .text ul:not(.browser-default) li { list-style:
disc;
margin-inline-start: 24px }
</style></head><body>
<nav class="teal"><div class="nav-wrapper"><a href="/" class="brand-logo left">$name</a><ul class="links"><li class="active"><a
href="/">Buy</a>
</li><li><a href="/">Rent</a></li><li><a href="/">Sell</a></li><li><a href="/">Agents</a></li><li><a
href="/">Journal</a></li></ul></div></nav>
<nav class="teal lighten-1 where"><div class="nav-wrapper container"><a href="/" class="breadcrumb">Homes</a>
<a href="/" class="breadcrumb">$town</a><a href="/" class="breadcrumb">$kind</a></div></nav>
<main class="container"><div class="row"><div class="col s12 l8"><div class="card"><div class="card-image"><img src="figure-$figure.png"
alt="">
</div><div class="card-action"><a href="/">$pictures pictures</a><a href="/">Floor plan</a><a href="/">Map</a></div></div>
<h1>$title</h1><p class="flow-text">$address</p><h4 class="teal-text">€$price</h4>
<table class="striped"><tbody>$facts</tbody></table>
<div class="text"><h2>Description</h2><p><b>$summary</b></p>$body</div>
<p class="grey-text">Reference $number, advertised on $day</p><div><div class="chip">$kind</div><div class="chip">$town</div></div></div>
<div class="col s12 l4"><div class="card-panel"><h5>Arrange a visit</h5><div class="input-field"><input placeholder="Your name" type="text">
</div><div class="input-field"><input placeholder="Your telephone" type="text"></div><button class="btn waves-effect">Send</button></div>
<ul class="collection with-header"><li class="collection-header"><h5>Your agent</h5></li><li class="collection-item avatar">
<img src="figure-$face.png" alt="" class="circle"><span class="title">$agent Quay</span><p>Northport homes<br>0100 5540</p></li></ul>
<div class="collection"><a href="/" class="collection-item">Save this home</a><a href="/" class="collection-item">Send to a friend</a>
<a href="/" class="collection-item">Report this advertisement</a></div></div></div>
<h5>Homes nearby</h5><div class="row">$others</div></main>
<footer class="page-footer teal darken-3"><div class="container"><div class="row"><div class="col l6 s12"><h5 class="white-text">$name</h5>
<p class="grey-text text-lighten-4">Homes by the water since 1994. All areas are approximate.</p></div><div class="col l4 offset-l2 s12">
<h5 class="white-text">Links</h5><ul><li><a class="grey-text text-lighten-3" href="/">Valuation</a></li>
<li><a class="grey-text text-lighten-3" href="/">Mortgages</a></li><li><a class="grey-text text-lighten-3" href="/">Contact</a></li></ul>
</div></div></div><div class="footer-copyright"><div class="container">12 Ferry Lane, Northport
<a class="grey-text text-lighten-4 right" href="/">Privacy</a></div></div></footer></body></html>
""")
_TOWNS = ("Northport", "Quay", "Eastmere")
_HOMES = ("Cottage", "Flat", "Farmhouse", "Houseboat")
_STREETS = ("Ferry Lane", "Customs Street", "Mill Road", "Old Pier", "Chapel Hill")


def _number(document: SourceDocument) -> int:
    return int(document.slug[-2:])


def _direction(document: SourceDocument) -> str:
    return "rtl" if document.language == "ar" else "ltr"


def _near(documents: Sequence[SourceDocument], number: int, steps: Sequence[int]) -> list[SourceDocument]:
    return [documents[(number + step) % len(documents)] for step in steps]


def _figure(document: SourceDocument, step: int = 0) -> str:
    return f"figure-{(_number(document) + step) % FIGURES}.png"


def _specifications(document: SourceDocument) -> list[tuple[str, str]]:
    number = _number(document)
    found = [(name, values[(number + place) % len(values)]) for place, (name, values) in enumerate(_SPECIFICATIONS[: 1 + number % 4])]
    return [*found, ("Article number", f"TQ-{5200 + 3 * number}")]


def write_products(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a product per document, with what others like and what was seen before beside and below it."""
    del theme
    write_media(project / "html")
    for number, document in enumerate(documents):
        others = "".join(
            f'<div class="cell"><div class="card"><img src="{_figure(one, 2)}" alt=""><div class="card-section"><h6><a '
            f'href="{one.slug}.html">{one.title}</a></h6><p>€{price(one)}</p></div></div></div>'
            for one in _near(documents, number, (4, 9, 15, 22))
        )
        seen = "".join(
            f'<div class="media-object"><div class="media-object-section"><img class="thumbnail" src="{_figure(one, 1)}" alt="" width="80">'
            f'</div><div class="media-object-section"><a href="{one.slug}.html">{one.title}</a><br><small>€{price(one)}</small></div></div>'
            for one in _near(documents, number, (2, 7, 12))
        )
        page = {"language": document.language, "direction": _direction(document), "title": document.title, "name": NAME, "others": others}
        page |= {
            "summary": document.summary,
            "price": price(document),
            "body": to_html(document),
            "category": _CATEGORIES[number % 5],
            "seen": seen,
        }
        page |= {"menu": "".join(f'<li><a href="/">{name}</a></li>' for name in _CATEGORIES), "figure": str(number % FIGURES)}
        page |= {"facts": "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in _specifications(document))}
        pictures = "".join(
            f'<div class="cell"><img class="thumbnail" src="{_figure(document, step)}" alt=""></div>' for step in range(1, 4)
        )
        write_text(project / f"html/{document.slug}.html", _PRODUCT.substitute(page, pictures=pictures, basket=str(number % 4)))


def build_products(project: Path) -> None:
    """Copy the style sheet."""
    shutil.copy(project.parents[1] / "node_modules/foundation-sites/dist/css/foundation.min.css", project / "html")


def product_gold(document: SourceDocument) -> str:
    """Return the gold text of a product: its title, the sentence below it, its price, its description and its specifications."""
    title, rest = gold_text(document).split("\n", 1)
    facts = (f"{name} {text}" for name, text in _specifications(document))
    return "\n".join((title, document.summary, f"€{price(document)}", rest, "Specifications", *facts))


def _home(document: SourceDocument) -> tuple[str, str, list[tuple[str, str]]]:
    """Return address, price and properties of a home."""
    number = _number(document)
    facts = [("Kind", _HOMES[number % 4]), ("Bedrooms", str(1 + number % 5)), ("Floor area", f"{48 + 11 * number} m²")]
    facts += [("Built in", str(1880 + 5 * number))] if number % 3 else [("Garden", f"{120 + 40 * number} m²")]
    return f"{2 + 3 * number} {_STREETS[number % 5]}, {_TOWNS[number % 3]}", f"{140 + 17 * number},500", facts


def write_homes(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a home per document, with its agent beside it and homes nearby below it."""
    del theme
    write_media(project / "html")
    for number, document in enumerate(documents):
        address, amount, facts = _home(document)
        others = "".join(
            f'<div class="col s12 m4"><div class="card small"><div class="card-image"><img src="{_figure(one, 1)}" alt=""></div>'
            f'<div class="card-content"><a href="{one.slug}.html">{one.title}</a><p>€{_home(one)[1]}, {_home(one)[0]}</p></div></div></div>'
            for one in _near(documents, number, (5, 11, 18))
        )
        page = {"language": document.language, "direction": _direction(document), "title": document.title, "name": NAME, "others": others}
        page |= {"address": address, "price": amount, "town": _TOWNS[number % 3], "kind": _HOMES[number % 4], "summary": document.summary}
        page |= {"facts": "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in facts), "body": to_html(document)}
        page |= {"day": f"{document.published:%d.%m.%Y}", "number": str(8100 + number), "agent": READERS[number % 8]}
        page |= {"figure": str(number % FIGURES), "face": str((number + 1) % FIGURES), "pictures": str(5 + number % 9)}
        write_text(project / f"html/{document.slug}.html", _HOME.substitute(page))


def build_homes(project: Path) -> None:
    """Copy the style sheet."""
    shutil.copy(project.parents[1] / "node_modules/materialize-css/dist/css/materialize.min.css", project / "html")


def home_gold(document: SourceDocument) -> str:
    """Return the gold text of a home: its title, address and price, its properties and its description."""
    title, rest = gold_text(document).split("\n", 1)
    address, amount, facts = _home(document)
    return "\n".join((title, address, f"€{amount}", *(f"{name} {text}" for name, text in facts), "Description", document.summary, rest))
