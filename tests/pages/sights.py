"""Ways to hide text from people, and designs that hide nothing for good: markup around the words `{}`."""

# ruff: noqa: E501  (a case is a line)

WHITE = "url(&quot;data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='white'/></svg>&quot;)"
BLACK = WHITE.replace("white", "black")

WAYS = {
    "contrast": {
        "color: transparent": "<p style='color:transparent'>{}</p>",
        "no alpha": "<p style='color:#00000008'>{}</p>",
        "a fill without colour": "<p style='-webkit-text-fill-color:transparent'>{}</p>",
        "white on white": "<p style='color:#fff'>{}</p>",
        "nearly white on white": "<p style='color:#f4f4f4'>{}</p>",
        "white on white in another notation": "<p style='color:oklch(1 0 0)'>{}</p>",
        "black on black": "<div style='background:#000'><p style='color:#010101'>{}</p></div>",
        "the colour of an ancestor's ground": "<div style='background:#123'><div class=same><p>{}</p></div><style>.same>p{color:#123}</style></div>",
        "part of a paragraph": "<p>A paragraph with <span style='color:#fff'>{}</span> in it.</p>",
        "white on a white picture": "<div style=\"background:#000 {white}\"><p style='color:#fff'>{}</p></div>",
        "white on a white gradient": "<div style='background:#222 linear-gradient(#fff,#fff)'><p style='color:#fff'>{}</p></div>",
        "a blend mode": "<div style='background:#fff;isolation:isolate'><p style='color:#fff;background:#000;mix-blend-mode:screen'>{}</p></div>",
        "a filter": "<p style='filter:brightness(0) invert(1)'>{}</p>",
        "a mask": "<p style='-webkit-mask-image:linear-gradient(transparent,transparent)'>{}</p>",
        "content:": "<style>.made::before{content:'{}';color:#fff}</style><p class=made></p>",
        "<noscript>": "<p>Some more text.</p><noscript><p style='color:#fff'>{}</p></noscript>",
    },
    "opacity": {
        "opacity": "<p style='opacity:0'>{}</p>",
        "little opacity": "<p style='opacity:.01'>{}</p>",
        "opacity of an ancestor": "<div style='opacity:.02'><div><p>{}</p></div></div>",
        "opacity in steps": "<div style='opacity:.2'><div style='opacity:.2'><p style='opacity:.3'>{}</p></div></div>",
    },
    "font": {
        "font-size: 0": "<p style='font-size:0'>{}</p>",
        "font-size of a class": "<style>h6, .tiny{font-size:0}</style><p class=tiny>{}</p>",
        "font-size: 1px": "<p style='font-size:1px'>{}</p>",
        "font-size: 1px, far apart": "<p style='font-size:1px;letter-spacing:9px;line-height:20px'>{}</p>",
        "transform: scale(.05)": "<p style='transform:scale(.05)'>{}</p>",
        "aria-hidden, and of no size": "<p aria-hidden=true style='font-size:0'>{}</p>",
    },
    "size": {
        "transform: scale(0)": "<p style='transform:scale(0)'>{}</p>",
        "a box of one pixel": "<p style='width:1px;height:1px;overflow:hidden'>{}</p>",
        "lines without height": "<div style='overflow:hidden'><p style='line-height:0;margin:0'>{}</p></div>",
        "turned away": "<p style='transform:rotateY(90deg)'>{}</p>",
    },
    "clip": {
        "no height": "<p style='height:0;overflow:hidden'>{}</p>",
        "clip-path": "<p style='clip-path:inset(100%)'>{}</p>",
        "clip-path: a circle": "<p style='clip-path:circle(0)'>{}</p>",
        "clip": "<p style='position:absolute;clip:rect(0,0,0,0)'>{}</p>",
        "beyond a clip": "<div style='position:relative;overflow:hidden;height:50px'><p style='position:absolute;top:400px'>{}</p></div>",
        "in a box that cannot be scrolled": "<div style='overflow:hidden;height:40px;width:400px'><p style='margin-left:900px;width:300px'>{}</p></div>",
        "for screen readers": "<span style='position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'>{}</span>",
    },
    "offscreen": {
        "text-indent": "<p style='text-indent:-9999px;overflow:hidden;white-space:nowrap'>{}</p>",
        "text-indent without a clip": "<p style='text-indent:-9999px'>{}</p>",
        "left of the page": "<p style='position:absolute;left:-9999px'>{}</p>",
        "above the page": "<p style='position:absolute;top:-9999px'>{}</p>",
        "a negative margin": "<p style='margin-left:-9999px;width:900px'>{}</p>",
        "translate": "<p style='transform:translateX(-9999px)'>{}</p>",
    },
    "covered": {
        "behind, by z-index": "<div style='position:relative;z-index:0'><div style='background:#eee'><p style='position:relative;z-index:-1'>{}</p></div></div>",
        "behind a box": "<div style='position:relative'><p>{}</p><div style='position:absolute;inset:0;background:#fff'></div></div>",
        "behind a picture": "<div style='position:relative'><p>{}</p><div style=\"position:absolute;inset:0;background:{black}\"></div></div>",
    },
    "visibility": {
        "visibility": "<p style='visibility:hidden'>{}</p>",
        "visibility: collapse": "<p style='visibility:collapse'>{}</p>",
    },
    "display": {
        "display: none": "<p style='display:none'>{}</p>",
        "hidden": "<p hidden>{}</p>",
        "for print": "<style>.print{display:none}@media print{.print{display:block}}</style><p class=print>{}</p>",
        "content-visibility": "<div style='content-visibility:hidden'><p>{}</p></div>",
    },
    "characters": {
        "tags of Unicode": "<p>A paragraph with signs.{tags}</p>",
        "selectors of variants": "<p>A paragraph with signs.{selectors}</p>",
        "signs without width": "<p>A paragraph with signs.{bits}</p>",
    },
    None: {
        "a comment": "<!-- {} -->",
        "<template>": "<template><p>{}</p></template>",
        "title": "<p title='{}'>A paragraph with a title.</p>",
        "alt of a small picture": "<img src=/i.gif width=1 height=1 alt='{}'>",
        "alt of a hidden picture": "<img src=/i.png width=90 height=90 style='visibility:hidden' alt='{}'>",
        "data": "<p data-text='{}'>A paragraph with data.</p>",
        "a field": "<input type=hidden value='{}'><textarea hidden>{}</textarea>",
    },
}
"""Ways to hide text, by the reason that a block has; None if it is in no block."""
SCRIPTED = {
    "reveal on scrolling": "<script></script><div class=reveal style='opacity:0'><p>{}</p></div>",
    "reveal by AOS": "<p data-aos=fade-up style='opacity:0'>{}</p>",
    "reveal by a transition": "<p style='opacity:0;transform:translateY(30px);transition:opacity 1s'>{}</p>",
    "text that a script would show": "<p hidden>{}</p>",
}
"""Designs of pages whose scripts do not run."""
DESIGNS = {
    "<details>": "<details><summary>A question</summary><p>{}</p></details>",
    "tabs by ARIA": "<div role=tablist><button role=tab aria-controls=t1>One</button><button role=tab aria-controls=t2>Two</button></div><div id=t1>First.</div><div id=t2 hidden>{}</div>",
    "tabs by class": "<div class=tabs><div class='tab-pane active'>First.</div><div class=tab-pane style='display:none'>{}</div></div>",
    "tabs by links": "<ul><li><a href='#c1'>One</a><li><a href='#c2'>Two</a></ul><div id=c1>First.</div><div id=c2 style='visibility:hidden'>{}</div>",
    "tabs of radio buttons": "<style>.pane{display:none}#r2:checked~.pane{display:block}</style><input type=radio id=r2><label for=r2>Two</label><p>x</p><div class=pane>{}</div>",
    "an accordion": "<h3><button aria-expanded=false aria-controls=a1>Question</button></h3><div id=a1 style='height:0;overflow:hidden'>{}</div>",
    "an accordion without ARIA": "<div class=q style='cursor:pointer'>Question</div><div style='max-height:0;overflow:hidden'>{}</div>",
    "an accordion by opacity": "<div class=acc><button>Question</button><div style='opacity:0;height:0;overflow:hidden'><p>{}</p></div></div>",
    "a box to check": "<style>.more{max-height:0;overflow:hidden}#b1:checked~.more{max-height:none}</style><input type=checkbox id=b1><label for=b1>More</label><div class=more>{}</div>",
    "read more": "<div style='height:60px;overflow:hidden'><p>The beginning of it.</p><p>More of it.</p><p>{}</p></div><a href='#'>Read more</a>",
    "read more in one paragraph": "<div style='height:40px;width:90px;overflow:hidden'>The beginning of a long paragraph that goes on <b>and on and on and on</b> <p>{}</p></div>",
    "lines that are cut": "<p style='display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden;width:200px'>{}</p>",
    "a carousel": "<div style='width:300px;overflow:hidden'><div style='display:flex'><div class=slide style='flex:none;width:300px'>One.</div><div class=slide style='flex:none;width:300px'>{}</div></div></div>",
    "a carousel that is moved": "<div style='width:300px;overflow:hidden'><div style='display:flex;transform:translateX(-300px)'><div class=slide style='flex:none;width:300px'>{}</div><div class=slide style='flex:none;width:300px'>Two.</div></div></div>",
    "a carousel that fades": "<div style='position:relative'><div class=item style='position:absolute'>One.</div><div class=item style='position:absolute;opacity:0'>{}</div></div><br>",
    "a carousel of layers": "<div style='position:relative;height:60px'><div class=slide style='position:absolute;inset:0;background:#fff'>{}</div><div class=slide style='position:absolute;inset:0;background:#fff'>Two.</div></div>",
    "a box that scrolls": "<div style='height:60px;overflow:auto'><p>One.</p><p>Two.</p><p>{}</p></div>",
    "a row that scrolls": "<div style='width:200px;overflow-x:scroll;white-space:nowrap'><span>One of many.</span><span style='margin-left:400px'>{}</span></div>",
    "a table that scrolls": "<div style='overflow-x:auto;width:200px'><table><tr><td style='min-width:900px'>One.<td>{}</table></div>",
    "a menu": "<nav><ul><li><a href=/a>A</a><ul style='display:none'><li>{}</ul></ul></nav>",
    "a menu that is moved away": "<ul><li><a href=/a>A</a><ul style='position:absolute;left:-9999px'><li>{}</ul></ul>",
    "a menu of the pointer": "<style>.drop{opacity:0}.own:hover .drop{opacity:1}</style><div class=own>Menu<div class=drop>{}</div></div>",
    "a drawer": "<button aria-controls=d1>Menu</button><div id=d1 style='position:fixed;left:-400px;width:300px'>{}</div>",
    "a dialog": "<dialog>{}</dialog><button>Open</button>",
    "a dialog by role": "<div role=dialog style='display:none'>{}</div>",
    "a popover": "<button popovertarget=p1>Open</button><div id=p1 popover>{}</div>",
    "a tooltip": "<span aria-describedby=tip>Word</span><span id=tip role=tooltip style='visibility:hidden'>{}</span>",
    "a tooltip of the pointer": "<style>.tip{opacity:0}a:hover .tip{opacity:1}</style><a href=/x>Word<span class=tip>{}</span></a>",
    "a spoiler": "<style>.spoiler{color:#000;background:#000}.spoiler:hover{color:#fff}</style><p><span class=spoiler>{}</span></p>",
    "a skip link": "<a href='#main' style='position:absolute;left:-9999px'>{}</a><p id=main>Main.</p>",
    "found by search": "<div hidden=until-found>{}</div>",
}
SEEN = {
    "dark mode": "<div style='background:#111'><p style='color:#eee'>{}</p></div>",
    "dark mode of an ancestor": "<div style='background:#000'><div><div><p style='color:#fff'>{}</p></div></div></div>",
    "white on a dark gradient": "<div style='background:linear-gradient(90deg,#024,#057)'><p style='color:#fff'>{}</p></div>",
    "white on a dark picture": "<div style=\"background:{black}\"><p style='color:#fff'>{}</p></div>",
    "white on a picture that did not come": "<div style='background:url(/hero.jpg)'><p style='color:#fff'>{}</p></div>",
    "white on a box behind it": "<div style='position:relative;z-index:0'><div style='position:absolute;inset:0;background:#123;z-index:-1'></div><p style='color:#fff'>{}</p></div>",
    "white on an earlier box": "<div style='position:relative'><div style='position:absolute;inset:0;background:#123'></div><p style='color:#fff;position:relative'>{}</p></div>",
    "a colour clipped to the text": "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>{}</p>",
    "a fill clipped to the text": "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;-webkit-text-fill-color:transparent'><b>{}</b></p>",
    "an outline": "<p style='color:transparent;-webkit-text-stroke:1px #000'>{}</p>",
    "a shadow": "<p style='color:transparent;text-shadow:0 0 3px #000'>{}</p>",
    "white with a dark shadow": "<p style='color:#fff;text-shadow:0 1px 2px #000'>{}</p>",
    "pale grey": "<p style='color:#ccc'>{}</p>",
    "half transparent": "<p style='opacity:.4'>{}</p>",
    "small print": "<p style='font-size:7px'>{}</p>",
    "reduced": "<p style='transform:scale(.6)'>{}</p>",
    "a blend mode that shows": "<div style='background:#08c;isolation:isolate'><p style='color:#fff;mix-blend-mode:difference'>{}</p></div>",
    "a filter that shows": "<p style='filter:contrast(1.2)'>{}</p>",
    "a mask that shows": "<p style='-webkit-mask-image:linear-gradient(#000,transparent)'>{}</p>",
    "a sticky head": "<div style='position:sticky;top:0;background:#fff'>{}</div>",
    "text below a fixed head": "<div style='position:fixed;top:0;left:0;right:0;height:90px;background:#fff'>Head</div><p>{}</p>",
    "text below a consent layer": "<div class=consent style='position:fixed;inset:0;background:#fff'>We use cookies.</div><p>{}</p>",
    "a card with a link over it": "<div style='position:relative'><p>{}</p><a href=/x style='position:absolute;inset:0'></a></div>",
    "a card over a picture": "<div style='position:relative'><div style='position:absolute;inset:0;background:#fed'></div><div style='position:relative;z-index:1'>{}</div></div>",
    "a font of no size around it": "<div style='font-size:0'><span style='font-size:16px'>{}</span></div>",
    "a line without height": "<p style='line-height:0'>{}</p>",
    "a box without height": "<div style='height:0'><p>{}</p></div>",
    "a clip that shows": "<p style='clip-path:inset(0 0 10% 0)'>{}</p>",
    "a circle that shows": "<p style='clip-path:circle(40%)'>{}</p>",
    "text turned around": "<p style='writing-mode:vertical-rl'>{}</p>",
    "right to left": "<p dir=rtl>{}</p>",
    "a selection's colour": "<style>::selection{color:#fff}</style><p>{}</p>",
    "white on a coloured button": "<p><button style='background:#06c;color:#fff;border:0'>{}</button></p>",
    "a table of colours": "<table><tr style='background:#003366'><td style='color:#fff'>{}</table>",
}
"""Text that a person sees as it is."""


def written(markup, words):
    """Return the markup with the words in it, or what spells them."""
    tags = "".join(chr(0xE0000 + ord(sign)) for sign in words)
    selectors = "".join(chr(0xE0100 - 16 + ord(sign)) for sign in words)
    bits = "".join("\u200b\u200c"[int(bit)] for sign in words for bit in f"{ord(sign):08b}")
    for place, text in {"{}": words, "{tags}": tags, "{selectors}": selectors, "{bits}": bits, "{white}": WHITE, "{black}": BLACK}.items():
        markup = markup.replace(place, text)
    return markup
