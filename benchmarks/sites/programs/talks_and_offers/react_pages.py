"""Pages of React's components: conversations of a group (chatscope's chat kit) and a company's landing pages (GitHub's Primer Brand)."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, write_media

REACT = ("react@19.2.0", "react-dom@19.2.0", "esbuild@0.25.12")
_CHAT = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as kit from '@chatscope/chat-ui-kit-react';
import '@fortawesome/fontawesome-svg-core/styles.css';
import '@chatscope/chat-ui-kit-styles/dist/default/styles.min.css';
const frame = fs.readFileSync('frame.html', 'utf8');
const face = number => h(kit.Avatar, {src: `figure-${number}.png`, name: ''});
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const others = one.others.map(([slug, title, name, text, face_], key) => h(kit.Conversation,
    {key, name: title, lastSenderName: name, info: text, lastActivityTime: `${3 * key + 2} h`, unreadCnt: key % 3 == 1 ? key : 0,
      active: slug == one.slug}, face(face_)));
  const lines = one.lines.map((line, key) => line.day ? h(kit.MessageSeparator, {key, content: line.day}) : h(kit.Message,
    {key, model: {message: line.html, type: 'html', sentTime: line.time, sender: line.name, direction: line.direction, position: 'single'}},
    line.direction == 'incoming' ? face(line.face) : null, h(kit.Message.Header, {sender: line.name, sentTime: line.time})));
  const page = renderToStaticMarkup(h(kit.MainContainer, {responsive: true},
    h(kit.Sidebar, {position: 'left', scrollable: false}, h(kit.Search, {placeholder: 'Search'}),
      h(kit.ConversationList, {scrollable: false}, others)),
    h(kit.ChatContainer, {}, h(kit.ConversationHeader, {}, face(one.face), h(kit.ConversationHeader.Content,
      {userName: one.group, info: `${one.members.length} members, ${one.members.slice(0, 4).join(', ')}`}),
      h(kit.ConversationHeader.Actions, {}, h(kit.VoiceCallButton), h(kit.VideoCallButton), h(kit.InfoButton))),
      h(kit.MessageList, {}, lines), h(kit.MessageInput, {placeholder: 'Type message here'})),
    h(kit.Sidebar, {position: 'right', scrollable: false},
      h(kit.ExpansionPanel, {open: true, title: 'Members'}, one.members.map((name, key) =>
      h('p', {key}, name))), h(kit.ExpansionPanel, {open: true, title: 'Media'}, one.files.map((name, key) => h('p', {key}, name))))));
  fs.writeFileSync(`html/${one.slug}.html`, frame.replaceAll('TITLE', one.group).replace('LANGUAGE', one.language)
    .replace('DIRECTION', one.direction).replace('PAGE', () => page));
}
"""
_CHAT_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE" dir="DIRECTION"><head><meta charset="utf-8"><title>TITLE - {NAME}</title>
<link rel="stylesheet" href="style.css"><style>
body {{ margin: 0; font-family: Helvetica, Arial, sans-serif }} .cs-main-container, .cs-chat-container {{ height: auto; overflow: visible }}
.cs-main-container {{ min-height: 100vh; max-width: 1320px; margin: 0 auto }} .cs-message-list, .cs-message-list__scroll-wrapper,
.cs-sidebar, .cs-conversation-list {{ position: static; height: auto; overflow: visible }}
.cs-expansion-panel__content p {{ margin: 4px 0 }}
.cs-message-list > div {{ padding: 0 1.2em 1em .8em }}
</style></head><body>PAGE</body></html>"""
"""The page is as long as the conversation: the kit shows the end of it alone, in a part of the window that its scripts make."""
_GROUPS = ("Ferry crew", "Harbour watch", "Rope makers", "Winter market", "Night boats")


def write_conversations(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the lines of a conversation per document, with the other conversations beside it."""
    del theme
    written = []
    for number, document in enumerate(documents):
        moment, lines = datetime.combine(document.published, time(8, 4)), []
        lines.append({"day": f"{moment:%A, %d %B %Y}"})
        for place, text in enumerate(messages(document)):
            later = moment + timedelta(minutes=4 if place % 4 else 520)
            if later.date() != moment.date() and place:
                lines.append({"day": f"{later:%A, %d %B %Y}"})
            moment, member = later, (number + 3 * (place // 2)) % 8
            own = place % 5 == 3
            line = {"name": "Ada" if own else READERS[member], "time": f"{moment:%H:%M}", "direction": "outgoing" if own else "incoming"}
            lines.append(line | {"html": html.escape(text).replace("\n", "<br>"), "face": f"{member % FIGURES}"})
        near = [documents[(number + step) % len(documents)] for step in (0, 2, 5, 9, 14, 18, 22)]
        others = [
            (one.slug, _group(one), READERS[(number + step) % 8], f"{one.title[:24]}", (number + step) % FIGURES)
            for step, one in enumerate(near)
        ]
        members = ["Ada", *(READERS[(number + step) % 8] for step in range(5))]
        files = [f"pier-{number + step}.jpg" for step in range(number % 4)] + ["rota.pdf"]
        written.append(
            {"slug": document.slug, "group": _group(document), "lines": lines, "others": others, "members": members, "files": files}
            | {"language": document.language, "direction": "rtl" if document.language == "ar" else "ltr", "face": number % FIGURES}
        )
    write_program(project, written, _CHAT, _CHAT_FRAME)


def _group(document: SourceDocument) -> str:
    number = int(document.slug[-2:])
    return f"{_GROUPS[number % 5]} {number // 5 + 1}"


_LANDING = """
import fs from 'fs';
import { createElement as h } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as brand from '@primer/react-brand';
import '@primer/react-brand/lib/css/main.css';
import '@primer/react-brand/fonts/fonts.css';
const { Card, CTABanner, Grid, Heading, Hero, Link, MinimalFooter, Pillar, River, Section, SectionIntro, SubdomainNavBar, Text } = brand;
const frame = fs.readFileSync('frame.html', 'utf8');
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const rivers = one.rivers.map(([title, text], key) => h(River, {key, align: key % 2 ? 'end' : 'start'},
    h(River.Visual, {}, h('img', {src: `figure-${key}.png`, alt: ''})), h(River.Content, {}, h(Heading, {}, title), h(Text, {}, text),
      h(Link, {href: '/'}, 'Learn more'))));
  const pillars = one.pillars.map(([title, text], key) => h(Grid.Column, {key, span: {medium: 4}},
    h(Pillar, {}, h(Pillar.Heading, {}, title), h(Pillar.Description, {}, text))));
  const posts = one.posts.map(([slug, title, text], key) => h(Grid.Column, {key, span: {medium: 4}}, h(Card, {href: `${slug}.html`},
    h(Card.Label, {}, 'Journal'), h(Card.Heading, {}, title), h(Card.Description, {}, text))));
  const page = renderToStaticMarkup(h(brand.ThemeProvider, {},
    h(SubdomainNavBar, {title: one.site, fixed: false}, one.menu.map((name, key) => h(SubdomainNavBar.Link, {key, href: '/'}, name)),
      h(SubdomainNavBar.PrimaryAction, {href: '/'}, 'Sign up'), h(SubdomainNavBar.SecondaryAction, {href: '/'}, 'Sign in')),
    h('main', {}, h(Section, {}, h(Hero, {align: one.align}, h(Hero.Heading, {}, one.title), h(Hero.Description, {}, one.summary),
      h(Hero.PrimaryAction, {href: '/'}, 'Start for free'), h(Hero.SecondaryAction, {href: '/'}, 'Contact sales'))),
      h(Section, {}, h(SectionIntro, {align: 'center'}, h(SectionIntro.Heading, {}, one.heading),
        h(SectionIntro.Description, {}, one.lead))),
      h(Section, {}, rivers), pillars.length ? h(Section, {}, h(Grid, {}, pillars)) : null,
      h(Section, {backgroundColor: 'subtle'}, h(SectionIntro, {}, h(SectionIntro.Heading, {size: '4'}, 'From the journal')),
        h(Grid, {}, posts)),
      h(Section, {}, h(CTABanner, {}, h(CTABanner.Heading, {}, 'Come aboard today'), h(CTABanner.Description, {},
        'No contract, no card. Leave whenever the tide turns.'), h(CTABanner.ButtonGroup, {}, h(brand.Button, {}, 'Sign up'))))),
    h(MinimalFooter, {copyrightStatement: `${one.site}, 12 Quay Street`, socialLinks: false, logoHref: '/'},
      ['Terms', 'Privacy', 'Status'].map((name, key) => h(MinimalFooter.Link, {key, href: '/'}, name)))));
  const wide = page.replace(/(<\\/ol><\\/nav>.*?)<div><p[^>]*>(<a [^>]*link--title.*?<\\/a>)<\\/p><\\/div>/s, '<li>$2</li>$1');
  fs.writeFileSync(`html/${one.slug}.html`, frame.replace('TITLE', () => one.title).replace('LANGUAGE', one.language)
    .replace('PAGE', () => wide));
}
"""
"""The name of the site is beside the logo, where the component's script puts it in a wide window."""
_LANDING_FRAME = f"""<!DOCTYPE html><html lang="LANGUAGE"><head><meta charset="utf-8"><title>TITLE | {NAME}</title>
<link rel="stylesheet" href="style.css"></head><body>PAGE</body></html>"""


def write_landing(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a landing page per document: its first entries beside pictures, the further ones in columns, and posts of a journal below."""
    del theme
    written = []
    for number, document in enumerate(documents):
        heading, *found = entries(document)[1:]
        near = [documents[(number + step) % len(documents)] for step in (3, 8, 15)]
        written.append(
            {"slug": document.slug, "title": document.title, "summary": document.summary, "language": document.language, "site": NAME}
            | {
                "heading": heading[0],
                "lead": heading[1],
                "rivers": found[:2],
                "pillars": found[2:],
                "align": ("start", "center")[number % 2],
            }
            | {"menu": ("Product", "Boats", "Prices", "About"), "posts": [(one.slug, one.title, one.summary) for one in near]}
        )
    write_program(project, written, _LANDING, _LANDING_FRAME)


def landing_gold(document: SourceDocument) -> str:
    """Return the gold text of a landing page: its title and claim, and all entries."""
    return "\n".join((document.title, document.summary, *(line for entry in entries(document)[1:] for line in entry)))


def write_program(project: Path, written: object, program: str, frame: str, name: str = "render.mjs") -> None:
    """Write a program of React's components, the page around what it makes, and what it is filled with."""
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "frame.html", frame)
    write_text(project / name, program)
    write_media(project / "html")


def build_pages(project: Path) -> None:
    """Bundle the program, fill its pages, and keep the style sheets of the bundle."""
    tools = project.parents[2]
    options = ["--bundle", "--platform=node", "--jsx=automatic", "--outfile=bundle.cjs", "--loader:.woff2=file"]
    run_program(["node_modules/.bin/esbuild", "render.mjs", *options], project, tools)
    run_program(["node", "bundle.cjs"], project, tools)
    (project / "bundle.css").rename(project / "html/style.css")
    for path in project.glob("*.woff2"):
        shutil.move(path, project / "html")
