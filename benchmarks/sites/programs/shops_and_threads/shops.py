"""A shop of Node.js, EverShop, with its database (PostgreSQL)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import price
from benchmarks.sites.applications.served import free_port, running, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import node_programs, run_program
from benchmarks.sites.programs.shops_and_threads.events import database
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, part_html

_PROGRAM = "node_modules/@evershop/evershop/dist/bin/evershop.js"
_FILL = """
import fs from 'fs';
const base = './node_modules/@evershop/evershop/dist/modules/catalog/services/';
const createCategory = (await import(base + 'category/createCategory.js')).default;
const createProduct = (await import(base + 'product/createProduct.js')).default;
const createCollection = (await import(base + 'collection/createCollection.js')).default;
const {pool} = await import('./node_modules/@evershop/evershop/dist/lib/postgres/connection.js');
const categories = [], popular = await createCollection({name: 'Popular', code: 'popular', description: []}, {});
for (const name of ['Charts', 'Lanterns', 'Ropes'])
  categories.push(await createCategory({name, url_key: name.toLowerCase(), status: 1, include_in_nav: 1, show_products: 1,
    meta_title: name, meta_description: name, meta_keywords: name}, {}));
const addresses = {};
for (const [number, one] of JSON.parse(fs.readFileSync('documents.json')).entries()) {
  const row = {id: 'r__1', size: 1, className: 'md:grid-cols-1', columns: [{size: 1, id: 'c__1', data: {time: 1, blocks: one.blocks}}]};
  const product = await createProduct({type: 'simple', visibility: true, status: true, sku: one.slug, name: one.title,
    url_key: one.slug, price: Number(one.price), weight: 1, qty: 10, manage_stock: 1, stock_availability: 1, group_id: 1,
    no_shipping_required: true, category_id: categories[number % 3].insertId, meta_title: one.title, meta_description: one.summary,
    meta_keywords: '', description: [row]}, {});
  addresses[one.slug] = '/product/' + product.uuid;
  if (number % 6 == 1)
    await pool.query('INSERT INTO product_collection (collection_id, product_id) VALUES ($1, $2)', [popular.insertId, product.insertId]);
}
const links = ['Charts', 'Lanterns', 'Ropes', 'Stories'].map((name, number) => ({id: 'm' + number, name, label: name, type: 'custom',
  uuid: '/', url: '/' + name.toLowerCase(), children: []}));
const widgets = [
  ['basic_menu', 'all', 'headerMiddleLeft', {menus: links, isMain: true}],
  ['collection_products', 'productView', 'productPageBottom', {collection: 'popular', count: 4, countPerRow: 4,
    heading: 'Popular products'}],
  ['footer_menu', 'all', 'footerTop', {columns: [{id: 'a', title: 'Shop', links}, {id: 'b', title: 'Help',
    links: [{id: 'h1', label: 'Shipping and returns', url: '/'}, {id: 'h2', label: 'Write to us', url: '/'}]}]}],
];
for (const [type, route, area, settings] of widgets) {
  const made = await pool.query(
    'INSERT INTO widget_instance (name, type, settings, status) VALUES ($1, $1, $2, true) RETURNING widget_instance_id',
    [type, JSON.stringify(settings)]);
  await pool.query('INSERT INTO widget_placement (widget_instance_id, route, area) VALUES ($1, $2, $3)',
    [made.rows[0].widget_instance_id, route, area]);
}
fs.writeFileSync('addresses.json', JSON.stringify(addresses));
process.exit(0);
"""


def write_evershop(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the products of a shop, each with a document as the blocks of its description."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    for folder in ("extensions", "media", "public", "themes", "translations"):
        (project / folder).mkdir()
    write_text(project / "package.json", json.dumps({"name": "shop", "private": True, "type": "module"}))
    write_text(project / "config/default.json", json.dumps({"shop": {"currency": "EUR", "language": "en", "storeName": NAME}}))
    write_text(project / "fill.mjs", _FILL)
    written = [
        {"slug": document.slug, "title": document.title, "summary": document.summary, "price": price(document)}
        | {"blocks": [{"id": str(number)} | _block(part) for number, part in enumerate(document.parts)]}
        for document in documents
    ]
    write_text(project / "documents.json", json.dumps(written))


def _block(part: Part) -> dict[str, object]:
    """Return a part as a block of the shop's editor."""
    if part.kind == "heading":
        return {"type": "header", "data": {"level": part.level, "text": part_gold(part)[0]}}
    if part.kind == "paragraph":
        return {"type": "paragraph", "data": {"text": inline_html(part.rows[0][0])}}
    if part.kind in ("bullets", "steps"):
        style = "ordered" if part.kind == "steps" else "unordered"
        return {"type": "list", "data": {"style": style, "items": [inline_html(row[0]) for row in part.rows]}}
    return {"type": "raw", "data": {"html": part_html(part)}}


def build_evershop(project: Path) -> None:
    """Build the shop's pages, fill its database and read the products."""
    tools, port, folder = project.parents[1].resolve(), free_port(), project.resolve()
    run_program(["node", _PROGRAM, "build"], folder, tools.parent)
    node = node_programs(tools.parent)
    with database(folder) as services:
        paths = {"PATH": f"{node}:{os.environ.get('PATH', '')}", "DB_HOST": services, "DB_PORT": "5432", "DB_USER": "postgres"}
        paths |= {"DB_PASSWORD": "none", "DB_NAME": "site", "DB_SSLMODE": "disable", "PORT": str(port)}
        command = [str(node / "node"), _PROGRAM, "start"]
        with running(folder, command, f"http://127.0.0.1:{port}/", paths):  # the first start writes the tables
            run_tool([str(node / "node"), "fill.mjs"], folder, paths | {"NODE_ENV": "production", "ALLOW_CONFIG_MUTATIONS": "true"})
        addresses = json.loads((folder / "addresses.json").read_text("utf-8"))
        save_pages(folder, command, port, {f"{slug}.html": address for slug, address in addresses.items()}, paths)
