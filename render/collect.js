/* Collect a page in one pass: text blocks with boxes and computed styles, images, links and head data, as one JSON string.

   Runs in an isolated world, so that nothing the page overrides is reached. Only a form's or a document's own properties can be
   shadowed there (by the names of what they hold), so theirs are read through the prototypes' getters. Reads only: the page lays out
   once and stays as it was.

   What is a block. The flattened tree is walked in order. Text belongs to its nearest block-level ancestor; inline elements and
   `display: contents` are transparent. A block-level child in flow interrupts the run of text around it, so that what follows is a second
   block of the same element (CSS calls both anonymous boxes). What does not break a line does not interrupt: floats, positioned
   elements and inline-blocks are blocks of their own beside a run that goes on. Two exceptions read as one run: an inline-block in a
   paragraph, heading or the like, or whose parent holds text of its own (buttons always stand alone); and a drop cap, a float of up
   to three characters glued to the next text. Text that is kept from view is a block apart from the visible text of the same element. */
(options, makeText, makeHead) => {
  "use strict";

  const SKIPPED = new Set(["script", "style", "template", "select", "datalist", "textarea", "input", "canvas", "video", "audio", "head",
    "path", "defs", "symbol", "use", "rect", "circle", "ellipse", "line", "polygon", "polyline", "linearGradient", "clipPath", "mask"]);
  const PHRASING = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "caption", "figcaption", "legend", "summary", "address"]);
  const KINDS = new Map(Object.entries({
    strong: "strong", b: "strong", em: "emphasis", i: "emphasis", code: "code", kbd: "code", samp: "code", tt: "code",
    del: "deleted", s: "deleted", strike: "deleted", sub: "subscript", sup: "superscript",
  }));
  const HEADINGS = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((tag, i) => [tag, i + 1]));
  const ATTRIBUTES = new Set(["role", "colspan", "rowspan", "start", "lang", "dir", "datetime", "itemprop", ...options.attributes]);
  const LAZY = ["data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset"];
  const PLACEHOLDER = /^(?!https?:|file:)|\b(blank|spacer|placeholder|transparent|pixel|1x1|grey|loading)\b[^/]*\.\w{3,4}\b/i;
  const SHORTHANDS = {
    font: ["font-style", "font-variant-caps", "font-weight", "font-size", "line-height", "font-family"],
    margin: ["margin-top", "margin-right", "margin-bottom", "margin-left"],
    padding: ["padding-top", "padding-right", "padding-bottom", "padding-left"],
    "border-width": ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"],
  };
  const LONGEST = { page: 20_000_000, url: 2000, value: 200 };
  const DEEPEST = 512; // levels of elements kept, as by the parser: scripts can nest deeper
  const IN_FULL = { opacityProperty: true, visibilityProperty: true };
  const NOTHING_LEFT = /^(inset\((5\d|[6-9]\d|1\d\d)(\.\d+)?%|circle\(0(px|%)|polygon\(0px 0px, 0px 0px)/;

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const nodeType = getter(Node.prototype, "nodeType");
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const documentElement = getter(Document.prototype, "documentElement");
  const documentBody = getter(Document.prototype, "body");
  const bodyOf = (root) => documentBody(root) ?? documentElement(root);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const isShown = (element, how) => Element.prototype.checkVisibility.call(element, how);
  const selectAll = (root, selector) =>
    (nodeType(root) === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

  const texts = makeText();
  const { clean } = texts;
  const head = makeHead(texts, { getter, selectAll, attribute });
  const page = { elements: [], styles: [], images: [] };
  const runs = [];
  const roots = [];
  const hrefs = new Map();
  const ariaLevels = new Map();
  let seen = 0;
  let characters = 0;
  let truncated = false;

  // Rectangles, in CSS px of the top document.

  const scroller = getter(Document.prototype, "scrollingElement")(document) ?? documentElement(document);
  const size = { width: scroller.scrollWidth, height: scroller.scrollHeight };
  const left = getComputedStyle(scroller).direction === "rtl" ? scroller.clientWidth - size.width : 0;
  const extent = { left, top: 0, right: left + size.width, bottom: size.height };
  const screen = { left: scrollX, top: scrollY, right: scrollX + innerWidth, bottom: scrollY + innerHeight };
  const nowhere = { left: 0, top: 0, right: 0, bottom: 0 };

  const move = (rect, { x, y }) => ({ left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y });
  const boxOf = (scope) => move(Element.prototype.getBoundingClientRect.call(scope.element), scope.view);
  const join = (one, other) => ({
    left: Math.min(one.left, other.left), top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom),
  });
  const meet = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const areApart = (one, other) =>
    one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;
  const isThin = (rect) => rect.right - rect.left <= 1 || rect.bottom - rect.top <= 1;
  const round = (value) => Math.round(value * 100) / 100;
  const asBox = ({ left: x, top: y, right, bottom }) => [round(x), round(y), round(Math.max(right - x, 0)), round(Math.max(bottom - y, 0))];

  // Views (a document and where it stands on the page), scopes (an open element of the walk), groups (its runs, where it is a block).

  const openView = (root, x, y, veil) => {
    openRoot(root);
    return { root, x, y, veil, range: Document.prototype.createRange.call(root) };
  };

  /* Note a document or shadow root, and the heading levels that ARIA gives in it; 0 where another role takes a heading's level away. */
  const openRoot = (root) => {
    roots.push(root);
    for (const element of selectAll(root, '[role="heading" i], :is(h1, h2, h3, h4, h5, h6)[role]')) {
      const level = parseInt(attribute(element, "aria-level")) || HEADINGS.get(element.localName) || 2;
      ariaLevels.set(element, /^heading$/i.test(attribute(element, "role")) ? Math.min(Math.max(level, 1), 9) : 0);
    }
  };

  const openScope = (parent, element, tag, style, flow) => {
    const scope = {
      parent, element, tag, style, flow, view: parent?.view, group: parent?.group, mark: parent?.mark,
      level: ariaLevels.get(element) ?? HEADINGS.get(tag) ?? parent?.level ?? 0, depth: (parent?.depth ?? -1) + 1,
      next: null, list: null, at: 0, row: -1,
      geometry: null, veil: undefined, folding: undefined, holdsText: undefined, styleRow: -1,
    };
    if (flow !== "inline") scope.group = { scope, runs: 0, live: false, open: {}, parts: null };
    if (tag === "a") openLink(scope);
    else if (KINDS.has(tag)) scope.mark = texts.openMark(KINDS.get(tag), "", scope.mark);
    if (tag === "form") scope.next = firstChild(element);
    else if (element.shadowRoot) openShadow(scope);
    else if (tag === "slot" && element.assignedNodes().length > 0) scope.list = element.assignedNodes();
    else if (tag === "details" && !element.open) scope.list = element.querySelectorAll(":scope > summary:first-of-type");
    else scope.next = element.firstChild;
    return scope;
  };

  const openShadow = (scope) => {
    openRoot(scope.element.shadowRoot);
    scope.next = scope.element.shadowRoot.firstChild;
  };

  const openLink = (scope) => {
    let { href } = scope.element;
    if (typeof href === "object") href = href.baseVal; // a link of an SVG
    if (typeof href !== "string" || href === "") return;
    hrefs.set(scope.element, href);
    const target = /^(https?|mailto|tel|ftp):/i.test(href) && href.length <= LONGEST.url ? clean(href) : "";
    scope.mark = texts.openMark("link", target, scope.mark);
  };

  const enter = (parent, element, tag) => {
    if (SKIPPED.has(tag)) return null;
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return null;
    if (tag === "img") return addImage(parent, element);
    if (tag === "br") return breakLines(parent.group);
    let flow = flowOf(parent, element, tag, display);
    if (flow === "block" && (tag === "span" || KINDS.has(tag)) && isDropCap(element, style)) flow = "inline";
    if (flow === "block") addPart(parent.group, style);
    return tag === "iframe" || tag === "frame" ? openFrame(parent, element, tag, style) : openScope(parent, element, tag, style, flow);
  };

  /* inline: part of the run around it; block: its text apart, and in flow what precedes from what follows; atom: its text apart. */
  const flowOf = (parent, element, tag, display) => {
    if (display === "block") return "block";
    if (display === "inline" || display === "contents" || display.startsWith("ruby")) return "inline";
    if (display.endsWith("math")) return tag === "math" && display === "block math" ? "block" : "inline";
    if (!display.startsWith("inline-")) return "block";
    return tag !== "button" && (PHRASING.has(parent.group.scope.tag) || holdsText(parent)) ? "inline" : "atom";
  };

  const holdsText = (scope) => {
    if (scope.holdsText === undefined) {
      let child = scope.list === null ? firstChild(scope.element) : scope.list[0];
      while (child && !(nodeType(child) === 3 && texts.hasInk(child.data))) child = nextSibling(child);
      scope.holdsText = Boolean(child);
    }
    return scope.holdsText;
  };

  const isDropCap = (element, style) => {
    const follower = nextSibling(element);
    if (follower === null || nodeType(follower) !== 3 || !/^\S/.test(follower.data)) return false;
    return style.float !== "none" && /^\s*\S{1,3}$/.test(element.textContent);
  };

  const isInFlow = (style) => style.float === "none" && style.position !== "absolute" && style.position !== "fixed";

  /* Whether a child stands in flow is asked only where text stands beside it. */
  const addPart = (group, style) => {
    (group.parts ??= []).push(style);
    if (!group.live || !isInFlow(style)) return;
    group.open = {};
    group.live = false;
  };

  const breakLines = (group) => {
    for (const run of Object.values(group.open)) texts.breakLine(run.text);
    return null;
  };

  const openFrame = (parent, element, tag, style) => {
    let root = null;
    try {
      root = element.contentDocument;
    } catch {
      return null; // a frame whose origin is not ours
    }
    if (!root || bodyOf(root) === null) return null;
    const host = openScope(parent, element, tag, style, "atom");
    host.next = null;
    const rect = boxOf(host);
    const [x, y] = [element.clientLeft + parseFloat(style.paddingLeft), element.clientTop + parseFloat(style.paddingTop)];
    const body = bodyOf(root);
    const inside = openScope(host, body, "body", getComputedStyle(body), "block");
    inside.view = openView(root, rect.left + x, rect.top + y, veilOf(host));
    return inside;
  };

  // How text is kept from view.

  const veilOf = (scope) => {
    let at = scope;
    while (at.style.display === "contents" && at.parent !== null) at = at.parent;
    if (at.veil === undefined) at.veil = findVeil(at);
    return at.veil;
  };

  /* Return "" where no style veils it, null where it is not laid out at all. */
  const findVeil = ({ element, style, view }) => {
    if (isShown(element, IN_FULL) || style.display === "contents") return view.veil;
    if (!isShown(element)) return null;
    return style.visibility === "visible" ? "opacity" : "visibility";
  };

  const geometryOf = (scope) => {
    const pending = [];
    let at = scope;
    for (; at.geometry === null; at = at.parent) pending.push(at);
    while (pending.length > 0) {
      at = pending.pop();
      at.geometry = findGeometry(at, at.parent.geometry);
    }
    return at.geometry;
  };

  /* Return the z-index, what clips the element's content and its absolutely positioned descendants, and where anything can be seen. */
  const findGeometry = (scope, up) => {
    const { style, flow, view, tag } = scope;
    const z = style.zIndex === "auto" ? up.z : Number(style.zIndex);
    if (flow === "inline") return z === up.z ? up : { ...up, z };
    const { position, overflowX } = style;
    if (z === up.z && overflowX === "visible" && position === "static") return up;
    let { clip, absolute, bounds } = up;
    if (position === "absolute") clip = absolute;
    if (position === "fixed" && view.root === document) [clip, bounds] = [extent, screen];
    if (isClippedAway(style, position)) clip = nowhere;
    if (overflowX !== "visible" && tag !== "body") {
      const rect = boxOf(scope);
      const scrolls = tag === "iframe" || tag === "frame" || !/hidden|clip/.test(style.overflow);
      if (isThin(rect) || !scrolls) clip = meet(clip, rect);
    }
    if (position !== "static") absolute = clip;
    return { z, clip, absolute, bounds };
  };

  const isClippedAway = (style, position) => {
    if (position !== "absolute" && position !== "fixed") return false;
    if (NOTHING_LEFT.test(style.clipPath)) return true;
    const edges = style.clip.match(/-?[\d.]+(?=px)/g);
    return edges !== null && edges.length === 4 && (edges[1] - edges[3] <= 1 || edges[2] - edges[0] <= 1);
  };

  const concealment = (veil, { clip, bounds }, rect) => {
    if (veil !== "") return veil;
    if (areApart(rect, bounds)) return "offscreen";
    if (areApart(rect, clip)) return "clip";
    return isThin(rect) || isThin(clip) ? "size" : "";
  };

  // Runs, and the rows of the tables.

  const readText = (scope, node) => {
    const { group, view } = scope;
    const { data } = node;
    if (!texts.hasInk(data)) {
      if (group.live) for (const run of Object.values(group.open)) texts.add(run.text, data, foldingOf(scope), undefined);
      return;
    }
    const veil = veilOf(scope);
    if (veil === null) return;
    view.range.selectNodeContents(node);
    const rect = move(view.range.getBoundingClientRect(), view);
    if (!(rect.right > rect.left && rect.bottom > rect.top)) return;
    const geometry = geometryOf(scope);
    const hidden = concealment(veil, geometry, rect);
    const run = (group.open[hidden] ??= openRun(scope, hidden, geometry.z, rect));
    run.rect = join(run.rect, rect);
    if (run.level !== scope.level) run.level = group.scope.level;
    texts.add(run.text, data, foldingOf(scope), scope.mark);
    characters += data.length;
  };

  const openRun = (scope, hidden, z, rect) => {
    const { group, level } = scope;
    group.runs += 1;
    group.live = true;
    const run = { group, hidden, z, level, rect, text: texts.open() };
    runs.push(run);
    return run;
  };

  const foldingOf = (scope) => (scope.folding ??= scope.style.whiteSpaceCollapse);

  const finish = ({ group, hidden, z, level, rect, text }) => {
    const { scope } = group;
    const whole = group.runs === 1 && (group.parts === null || !group.parts.some(isInFlow));
    let box = boxOf(scope);
    if (!(box.right > box.left && box.bottom > box.top)) box = rect;
    else if (!whole) box = { left: box.left, top: rect.top, right: box.right, bottom: rect.bottom };
    const { text: value, inlines, linked } = texts.finish(text);
    const block = { text: value, element: rowOf(scope), box: asBox(box) };
    if (bodyValues.size > 0) block.style = styleRowOf(scope);
    if (inlines.length > 0) block.inlines = inlines;
    if (linked > 0) block.link_chars = linked;
    if (hidden !== "") block.hidden = hidden;
    if (z !== 0) block.z = z;
    if (level !== 0) block.heading = level;
    return block;
  };

  const rowOf = (scope) => {
    const pending = [];
    for (let at = scope; at !== null && at.row < 0; at = at.parent) pending.push(at);
    while (pending.length > 0) addElement(pending.pop());
    return scope.row;
  };

  const addElement = (scope) => {
    const { parent, element, tag } = scope;
    if (scope.depth >= DEEPEST) {
      scope.row = parent.row;
      return;
    }
    const entry = [clean(tag), parent === null ? -1 : parent.row];
    scope.row = page.elements.push(entry) - 1;
    const names = Element.prototype.getAttributeNames.call(element);
    if (names.length > 0) entry.push("", [], {});
    for (const name of names) {
      if (name === "id") entry[2] = clean(attribute(element, name));
      else if (name === "class") entry[3] = classesOf(element);
      else if (ATTRIBUTES.has(name)) entry[4][name] = clean(attribute(element, name));
    }
    const code = tag === "pre" && Element.prototype.querySelector.call(element, ":scope > code[class]"); // its language stands there
    if (code) entry[3] = [...(entry[3] ?? []), ...classesOf(code)];
    if (code && names.length === 0) entry[2] = "";
  };

  const classesOf = (element) => clean(attribute(element, "class")).split(/\s+/).filter(Boolean);

  const addImage = (parent, element) => {
    let source = element.currentSrc || element.src;
    const lazy = PLACEHOLDER.test(source) && LAZY.map((name) => attribute(element, name)).find(Boolean);
    if (lazy) source = URL.parse(lazy.trim().split(/,?\s/, 1)[0], element.baseURI)?.href ?? "";
    if (!/^(https?|file):/.test(source) || source.length > LONGEST.url) return null;
    const box = asBox(move(element.getBoundingClientRect(), parent.view));
    page.images.push([clean(source), clean(attribute(element, "alt") ?? ""), rowOf(parent), runs.length, box]);
    return null;
  };

  // Styles. They are told apart by few reads, with shorthands in place of their longhands; one new to the page is then read in full.

  const bodyStyle = getComputedStyle(bodyOf(document));
  const properties = options.properties[0] === "*" ? [...bodyStyle] : options.properties;
  const bodyValues = new Map(properties.map((name) => [name, bodyStyle.getPropertyValue(name)]));
  const shorthands = Object.keys(SHORTHANDS).filter((name) => SHORTHANDS[name].every((longhand) => bodyValues.has(longhand)));
  const covered = new Set(shorthands.flatMap((name) => SHORTHANDS[name]));
  const telling = [...shorthands, ...properties.filter((name) => !covered.has(name))];
  const tellingOfBody = telling.map((name) => bodyStyle.getPropertyValue(name));
  const styleRows = new Map();

  const styleRowOf = (scope) => {
    if (scope.styleRow >= 0) return scope.styleRow;
    const { style } = scope;
    let key = "";
    for (let i = 0; i < telling.length; i += 1) {
      const value = style.getPropertyValue(telling[i]) || spellOut(style, telling[i]);
      if (value !== tellingOfBody[i]) key += `${i}:${value};`;
    }
    scope.styleRow = styleRows.get(key) ?? page.styles.push(differences(style)) - 1;
    styleRows.set(key, scope.styleRow);
    return scope.styleRow;
  };

  /* Return the longhands of a shorthand that cannot say them. */
  const spellOut = (style, name) => (SHORTHANDS[name] ?? []).map((longhand) => style.getPropertyValue(longhand)).join();

  const differences = (style) => {
    const entry = {};
    for (const [name, usual] of bodyValues) {
      const value = style.getPropertyValue(name);
      if (value !== usual) entry[name] = clean(value.slice(0, LONGEST.value));
    }
    return entry;
  };

  const walk = (root) => {
    let scope = root;
    while (scope !== null) {
      const node = scope.list === null ? scope.next : (scope.list[scope.at++] ?? null);
      if (node === null) {
        if (scope.flow === "atom") for (const run of Object.values(scope.parent.group.open)) run.text.due = true;
        scope = scope.parent;
        continue;
      }
      seen += 1;
      truncated = seen > options.node_cap || characters > LONGEST.page;
      if (truncated) return;
      const name = node.localName;
      const tag = name === undefined || typeof name === "string" ? name : "form"; // only a form's can be anything else
      if (scope.list === null) scope.next = tag === "form" ? nextSibling(node) : node.nextSibling;
      if (tag !== undefined) scope = enter(scope, node, tag) ?? scope;
      else if (node.nodeType === 3) readText(scope, node);
    }
  };

  const root = openScope(null, bodyOf(document), "body", bodyStyle, "block");
  root.view = openView(document, scrollX, scrollY, "");
  root.geometry = { z: 0, clip: extent, absolute: extent, bounds: extent };
  rowOf(root);
  walk(root);
  return JSON.stringify({
    blocks: runs.map(finish),
    ...page,
    ...head.readHead(),
    links: head.readLinks(roots, hrefs),
    body_style: Object.fromEntries([...bodyValues].map(([name, value]) => [name, clean(value.slice(0, LONGEST.value))])),
    truncated,
    viewport: [innerWidth, innerHeight],
    document: [size.width, size.height],
  });
}
