"""A page whose every text would be markup or script where it is not escaped, and what counts the scripts that a browser executes."""

TEXTS = (
    "<script>hit('script')</script>",
    "</script><script>hit('end of script')</script>",
    "</title></textarea></style><img src=x onerror=hit('image')>",
    "<svg/onload=hit('svg')><animate onbegin=hit('svg') attributeName=x dur=1s>",
    "\"><iframe srcdoc='<script>parent.hit(1)</script>'></iframe>",
    "' onmouseover=hit('handler') autofocus onfocus=hit('focus') x='",
    "javascript:hit('address')",
    "data:text/html,<script>parent.hit('data')</script>",
    "{{constructor.constructor('hit(1)')()}} ${hit('template')} #{hit(1)} <%= hit(1) %>",
    "\u202e<script>hit('bidi')</script>\u202c \u2066\u200f<b onclick=hit(1)>",
    "]]><!--<script>--> \u2028hit('line')\u2029 \\u003cscript>hit('escape')\\u003c/script>",
    "[link](javascript:hit('markdown')) ![x](x\"onerror=\"hit(1)) <a href=javascript:hit(1)>",
)
COUNT = """window.hits = [];
window.hit = (what) => window.hits.push(what);
document.addEventListener('securitypolicyviolation', (event) => window.hits.push(event.violatedDirective + ' ' + event.sample));"""
"""Counts what is executed, and what the policy alone keeps from it."""


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def hostile_page(number: int = 0, story: str = "") -> str:
    """Return a page with the texts wherever a page has text: words, titles, addresses, names of classes and attributes, CSS."""
    texts = [escaped(text) for text in (*TEXTS[number:], *TEXTS[:number])]
    parts = "".join(
        f"""<p class="{text}" id="{text}" title="{text}" style="font-family: '{text.replace("'", "")}', serif">{text} {story} {number}
        <a href="{text}" aria-label="{text}">{text}</a> <a href="https://x.test/{text}">{text}</a>
        <img alt="{text}" src="{text}" width=9 height=9>"""
        for text in texts
    )
    meta = "".join(f'<meta name="{name}" content="{texts[0]}">' for name in ("author", "description", "keywords", texts[2]))
    return (
        f'<!doctype html><html lang="{texts[1]}"><title>{texts[0]}</title>{meta}<meta property="og:title" content="{texts[0]}">'
        f'<nav class="{texts[3]}"><a href="{texts[6]}">{texts[1]}</a></nav><main hit(1)=1 on"x=1><h1>{texts[0]}</h1>{parts}'
        f"<pre><code>{texts[1]}</code></pre><table><tr><td>{texts[2]}<td>{texts[3]}</table></main>"
    )
