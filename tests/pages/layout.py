"""Hand-made pages, one per hard case of layout, of what is kept from view, and of what stands in no text node of the page's own."""

LIST = "list-style-position:inside"
HOST = "<div id=host>{light}<template shadowrootmode=open>{shadow}</template></div>"

HIDDEN = {
    "display none": ("<p>alpha</p><p style='display:none'>beta <b>gamma</b></p><p>delta</p>", ["alpha", "[display] beta gamma", "delta"]),
    "display none inside a sentence": ("<p>alpha <span style='display:none'>beta</span> gamma</p>", ["alpha gamma", "[display] beta"]),
    "blocks of a tree that is not displayed": (
        "<div hidden>alpha<p>beta</p><ul><li>gamma</ul></div><p>delta</p>",
        ["[display] alpha", "[display] beta", "[display] gamma", "delta"],
    ),
    "preformatted and not displayed": ("<pre hidden>alpha\n  beta</pre><p>gamma</p>", ["[display] alpha\n  beta", "gamma"]),
    "closed details": ("<details><summary>alpha</summary>beta<p>gamma</p></details>", ["▸| alpha", "[display] beta", "[display] gamma"]),
    "a closed dialog": ("<dialog>alpha</dialog><p>beta</p>", ["[display] alpha", "beta"]),
    "content-visibility": ("<div style='content-visibility:hidden'><p>alpha</p></div><p>beta</p>", ["[display] alpha", "beta"]),
    "content-visibility of the text's own block": (
        "<p style='content-visibility:hidden'>alpha</p><p>beta</p>",
        ["[display] alpha", "beta"],
    ),
    "hidden until found": ("<div hidden=until-found>alpha</div><p>beta</p>", ["[display] alpha", "beta"]),
    "visibility": ("<p>alpha <span style='visibility:hidden'>beta</span> gamma</p>", ["alpha gamma", "[visibility] beta"]),
    "visible inside invisible": (
        "<div style='visibility:hidden'>alpha<p style='visibility:visible'>beta</p></div>",
        ["[visibility] alpha", "beta"],
    ),
    "opacity": ("<div style='opacity:0'><p>alpha</p></div><p>beta</p>", ["[opacity] alpha", "beta"]),
    "off the page": ("<p style='position:absolute;left:-5000px'>alpha</p><p>beta</p>", ["[offscreen] alpha", "beta"]),
    "off by its indent": ("<h1 style='text-indent:-9999px;white-space:nowrap'>alpha</h1><p>beta</p>", ["[offscreen] alpha", "beta"]),
    "clipped to nothing": ("<div style='height:0;overflow:hidden'><p>alpha</p></div><p>beta</p>", ["[clip] alpha", "beta"]),
    "for screen readers, clip": ("<p style='position:absolute;clip:rect(0 0 0 0)'>alpha</p><p>beta</p>", ["[clip] alpha", "beta"]),
    "for screen readers, clip-path": ("<p style='position:absolute;clip-path:inset(50%)'>alpha</p><p>beta</p>", ["[clip] alpha", "beta"]),
    "for screen readers, size": (
        "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>alpha</p><p>beta</p>",
        ["[size] alpha", "beta"],
    ),
    "a slide outside its window": (
        "<div style='width:300px;overflow:hidden'><div style='display:flex'><p style='min-width:300px'>alpha</p><p>beta</p></div></div>",
        ["alpha", "[clip] beta"],
    ),
    "hidden from assistive technology alone": ("<p aria-hidden=true>alpha</p><p>beta</p>", ["alpha", "beta"]),
    "a scrolled box": ("<div style='height:50px;overflow:auto'><p>alpha</p><p style='margin-top:300px'>beta</p></div>", ["alpha", "beta"]),
    "a fixed panel that scrolls": (
        "<main style='position:fixed;left:250px;top:40px;height:calc(100% - 40px);overflow-y:auto'>"
        "<p>alpha</p><p style='margin-top:3000px'>beta</p></main>",
        ["alpha", "beta"],
    ),
    "a fixed panel that scrolls, off the page": (
        "<nav style='position:fixed;left:-300px;width:250px;height:100%;overflow-y:auto'>"
        "<p>alpha</p><p style='margin-top:3000px'>beta</p></nav>gamma",
        ["[offscreen] alpha", "[offscreen] beta", "gamma"],
    ),
    "a fixed panel that is too long": (
        "<main style='position:fixed;left:250px;top:40px'><p>alpha</p><p style='margin-top:3000px'>beta</p></main>",
        ["alpha", "[offscreen] beta"],
    ),
    "text that overflows": ("<div style='height:0'>alpha</div>", ["alpha"]),
}

GENERATED = {
    "before and after": ("<style>p::before{content:'alpha '} p::after{content:' gamma'}</style><p>beta</p>", ["alpha beta gamma"]),
    "around an inline element": ("<style>b::before{content:'('} b::after{content:')'}</style><p>alpha <b>beta</b></p>", ["alpha (beta)"]),
    "alone in its element": ("<style>i::before{content:'alpha'}</style><p><i></i></p><p>beta</p>", ["alpha", "beta"]),
    "as a block": ("<style>p::before{content:'alpha';display:block}</style><p>beta</p>", ["alpha", "beta"]),
    "from an attribute": ("<style>p::after{content:' ' attr(data-x)}</style><p data-x=beta>alpha</p>", ["alpha beta"]),
    "an ornament": (
        "<style>li{display:block} h2::after{content:'';display:block} h2::before{content:'★';position:absolute}</style><h2>alpha</h2>",
        ["alpha"],
    ),
    "a glyph of an icon font": ("<style>p::before{content:'\\f101'}</style><p>alpha</p>", ["alpha"]),
    "not displayed": ("<style>p::before{content:'no';display:none}</style><p>alpha</p>", ["alpha"]),
    "quotation marks": ("<p>alpha <q>beta <q>gamma</q></q></p>", ["alpha “beta ‘gamma’”"]),
    "German quotation marks": ("<p lang=de>alpha <q>beta</q></p>", ["alpha „beta“"]),
    "counters": (
        "<style>body{counter-reset:h} h2{counter-increment:h} h2::before{content:counter(h) '. '}</style><h2>alpha</h2><h2>beta</h2>",
        ["1. alpha", "2. beta"],
    ),
    "nested counters": (
        "<style>ol{counter-reset:i;list-style:none} li{counter-increment:i} li::before{content:counters(i,'.') ' '}</style>"
        "<ol><li>alpha<ol><li>beta<li>gamma</ol><li>delta</ol>",
        ["1 alpha", "1.1 beta", "1.2 gamma", "2 delta"],
    ),
}

MARKERS = {
    "bullets": (f"<ul style={LIST}><li>alpha<li>beta</ul>", ["•| alpha", "•| beta"]),
    "bullets within bullets": ("<ul><li>alpha<ul><li>beta<ul><li>gamma</ul></ul></ul>", ["•| alpha", "◦| beta", "■| gamma"]),
    "numbers": ("<ol start=9><li>alpha<li>beta<li value=20>gamma<li>delta</ol>", ["9.| alpha", "10.| beta", "20.| gamma", "21.| delta"]),
    "numbers backwards": ("<ol reversed><li>alpha<li>beta</ol>", ["2.| alpha", "1.| beta"]),
    "letters and roman numbers": (
        "<ol type=a start=26><li>alpha<li>beta</ol><ol style='list-style-type:lower-roman' start=4><li>gamma</ol>",
        ["z.| alpha", "aa.| beta", "iv.| gamma"],
    ),
    "markers of words": ("<ul style='list-style-type:\"→ \"'><li>alpha</ul>", ["→| alpha"]),
    "markers by ::marker": ("<style>li::marker{content:'Step '}</style><ol><li>alpha</ol>", ["Step| alpha"]),
    "an item of paragraphs": ("<ol><li><p>alpha</p><p>beta</p></ol>", ["1.| alpha", "beta"]),
    "no markers": ("<ul style='list-style:none'><li>alpha</ul>", ["alpha"]),
}

PLACED = {
    "right-to-left": ("<body dir=rtl><p>alpha <b>beta</b></p><p style='width:200px'>gamma</p>", ["alpha beta", "gamma"]),
    "right-to-left and wider than the screen": ("<html dir=rtl><p style='width:3000px'>alpha</p>", ["alpha"]),
    "vertical": ("<div style='writing-mode:vertical-rl;height:300px'><p>alpha</p>beta<p>gamma</p></div>", ["alpha", "beta", "gamma"]),
    "a vertical page": ("<html style='writing-mode:vertical-rl'><p style='width:3000px'>alpha</p><p>beta</p>", ["alpha", "beta"]),
    "sideways": ("<p style='writing-mode:sideways-lr'>alpha</p>", ["alpha"]),
    "rotated": ("<p style='transform:rotate(30deg);width:200px;margin:100px'>alpha</p><p>beta</p>", ["alpha", "beta"]),
    "scaled": ("<div style='transform:scale(.5);transform-origin:0 0'><p>alpha</p>beta<p>gamma</p></div>", ["alpha", "beta", "gamma"]),
    "zoomed": ("<div style='zoom:2'><p style='width:100px'>alpha</p></div><p>beta</p>", ["alpha", "beta"]),
    "a zoomed page": ("<html style='zoom:1.5'><p style='width:100px;margin-top:2000px'>alpha</p>", ["alpha"]),
    "far down": ("<p style='margin-top:40000px'>alpha</p>", ["alpha"]),
    "text beside blocks": ("<div style='width:500px'>alpha<p>beta</p>gamma<br>delta</div>", ["alpha", "beta", "gamma\ndelta"]),
    "a negative margin": ("<p>alpha</p><p style='margin:-10px 0 0 -20px;width:300px'>beta</p>", ["alpha", "beta"]),
    "a multi-line sentence": (
        f"<p style='width:120px'>alpha {'beta' * 3} {'gamma' * 4} delta</p>",
        [f"alpha {'beta' * 3} {'gamma' * 4} delta"],
    ),
    "a shadow tree": (HOST.format(light="<p>beta</p>", shadow="<h2>alpha</h2><slot></slot><p>gamma</p>"), ["alpha", "beta", "gamma"]),
    "slots by name": (
        HOST.format(
            light="<p>gamma</p><p slot=first>beta</p>",
            shadow="<h2>alpha</h2><slot name=first></slot><slot></slot><slot name=no>delta</slot>",
        ),
        ["alpha", "beta", "gamma", "delta"],
    ),
    "a shadow tree in a shadow tree": (
        HOST.format(light="", shadow=HOST.format(light="beta", shadow="<p>alpha</p><slot></slot>")),
        ["alpha", "beta"],
    ),
    "a frame": ("<p>alpha</p><iframe style='margin:50px;border:0' srcdoc='<p>beta</p>'></iframe><p>gamma</p>", ["alpha", "beta", "gamma"]),
    "a frame in a frame": (
        "<iframe style='border:0' srcdoc=\"<p>alpha</p><iframe style='border:0' srcdoc='<p>beta</p>'></iframe>\"></iframe><p>gamma</p>",
        ["alpha", "beta", "gamma"],
    ),
    "a scaled frame": (
        "<iframe width=300 style='border:0;transform:scale(.5);transform-origin:0 0' srcdoc='<p>alpha</p>'></iframe><p>beta</p>",
        ["alpha", "beta"],
    ),
}

LAYOUT = {**HIDDEN, **GENERATED, **MARKERS, **PLACED}
