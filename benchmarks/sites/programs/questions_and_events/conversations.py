"""Conversations with a service desk as Alibaba's ChatUI shows them, with other ones beside them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.programs.talks_and_offers.react_pages import write_program
from benchmarks.sites.texts.documents import FIGURES, SourceDocument

_WINDOW = """
globalThis.window = {};
globalThis.requestAnimationFrame = () => 0;
globalThis.document = {documentElement: {style: {}, dataset: {}, classList: {add() {}}}, addEventListener() {}};
"""
"""The package asks these things of a browser while it is loaded."""
_RENDER = """
import './window.mjs';
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Bubble, ConfigProvider, List, ListItem, Message, Navbar, QuickReplies } from '@chatui/core';
import '@chatui/core/dist/index.css';
const frame = fs.readFileSync('frame.html', 'utf8');
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const others = h(List, {bordered: true}, one.others.map(([slug, title], key) =>
    h(ListItem, {key, as: 'a', href: `${slug}.html`, content: title, rightIcon: 'chevron-right'})));
  const lines = one.lines.map((line, key) => h('div', {className: 'MessageList-item', key}, h(Message,
    {...line, renderMessageContent: ({content}) => h(Bubble, {content: content.text})})));
  const page = renderToStaticMarkup(h(ConfigProvider, {locale: 'en-US'}, h('aside', {}, h('h2', {}, 'Conversations'), others),
    h('div', {className: 'ChatApp'}, h(Navbar, {title: one.desk, desc: 'We answer from 8 to 18',
      leftContent: {icon: 'chevron-left', title: 'Back'}, rightContent: [{icon: 'ellipsis-h', title: 'More'}]}),
      h('div', {className: 'MessageContainer'}, h('div', {className: 'MessageList'}, lines)),
      h('div', {className: 'ChatFooter'}, h(QuickReplies, {items: one.replies.map(name => ({name})), visible: true}),
        h('div', {className: 'Composer'}, h('div', {className: 'Composer-inputWrap'},
          h('textarea', {className: 'Input Input--outline Composer-input', rows: 1, placeholder: 'Write to us'})))))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('LANGUAGE', one.language).replace('PAGE', () => page));
}
"""
_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>Conversation - {NAME}</title>
<link rel="stylesheet" href="style.css"><style>
html, body {{ height: auto; min-height: 100%; margin: 0; font-family: Helvetica, Arial, sans-serif }} .page {{ display: flex; gap: 24px;
max-width: 1200px; margin: 0 auto; padding: 24px }}
.page > aside {{ width: 320px }} .page > aside h2 {{ font-size: 18px; padding: 0 12px }} .page > .ChatApp {{ flex: 1; height: auto;
min-height: 80vh }}
.MessageContainer {{ overflow: visible; height: auto }} .ListItem {{ color: inherit; text-decoration: none }}
.top, .bottom {{ padding: 14px 24px; background: #fff; border-bottom: 1px solid #eee }} .top a {{ margin-right: 18px; color: #333 }}
</style></head><body><header class="top"><a href="/"><b>{NAME}</b></a><a href="/">Help</a><a href="/">Your tickets</a><a
href="/">Account</a>
</header><div class="page">PAGE</div><footer
class="bottom"><small>{NAME}, 12 Quay Street. Privacy. Terms of use</small></footer></body></html>"""
"""The page is as long as the conversation, of which the program shows a window's height."""
_DESKS = ("Ferry desk", "Harbour office", "Lost and found", "Tickets", "Moorings")


def write_conversations(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the lines of a conversation per document: those of the customer are on the right."""
    del theme
    written = []
    for number, document in enumerate(documents):
        moment = datetime.combine(document.published, time(8, 4), UTC)
        helper = {"name": READERS[number % 8], "avatar": f"figure-{number % FIGURES}.png"}
        lines: list[dict[str, object]] = [{"type": "system", "content": {"text": f"{READERS[number % 8]} is here for you"}}]
        for place, text in enumerate(messages(document)):
            right = place % 3 == 0
            line = {"type": "text", "content": {"text": text}, "position": "right" if right else "left", "_id": str(place)}
            moment += timedelta(minutes=2 + 5 * (place % 3))
            lines.append(line | {"createdAt": moment.timestamp() * 1000, "hasTime": place % 3 == 0, "user": {} if right else helper})
        near = [documents[(number + step) % len(documents)] for step in (3, 6, 10, 15, 19, 22)]
        others = [(one.slug, f"{_DESKS[int(one.slug[-2:]) % 5]}, {one.published:%d %b}") for one in near]
        written.append(
            {"slug": document.slug, "language": document.language, "desk": _DESKS[number % 5], "lines": lines, "others": others}
            | {"replies": ("Thank you", "Call me back", "Close the conversation")}
        )
    write_text(project / "window.mjs", _WINDOW)
    write_program(project, written, _RENDER, _FRAME)


def conversation_gold(document: SourceDocument) -> str:
    """Return the gold text of a conversation: its messages."""
    return "\n".join(messages(document))
