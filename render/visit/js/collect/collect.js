/* Collect a page in one pass: text blocks with boxes and computed styles, images, links and head data, as one JSON string.

   Runs in an isolated world, so that nothing the page overrides is reached (but see collect_dom.js). Reads only: the page lays out once and
   stays as it was, but for what moves.

   What is a block. The flattened tree is walked in order. Text belongs to its nearest block-level ancestor; inline elements and
   `display: contents` are transparent. A block-level child in flow interrupts the run of text around it, so that what follows is a second
   block of the same element (CSS calls both anonymous boxes). What does not break a line does not interrupt: floats, positioned
   elements and inline-blocks are blocks of their own beside a run that goes on. Two exceptions read as one run: an inline-block in a
   paragraph, heading or the like, or whose parent holds text of its own (buttons always stand alone); and a drop cap, a float of up
   to three characters glued to the next text. Text that is kept from view is another block than the visible text of the same element.

   What is not laid out at all (`display: none`, closed `<details>`) is dark: no style is computed for it, and tags alone say what a block
   is, as in a page that is read without a browser. */
(options, make) => {
  "use strict";

  const set = (words) => new Set(words.split(" "));
  const SKIPPED = set(
    "script style template select datalist textarea input canvas video audio head noembed noframes title desc metadata annotation annotation-xml rp " +
      "path defs symbol use rect circle ellipse line polygon polyline linearGradient clipPath mask",
  );
  const PHRASING = set("p h1 h2 h3 h4 h5 h6 pre dt caption figcaption legend summary address");
  const BLOCKS = set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup " +
      "hr html legend li main menu nav ol p search section summary table tbody td tfoot th thead tr ul pre listing plaintext xmp h1 h2 h3 h4 h5 h6",
  );
  const PRESERVED = set("pre listing plaintext xmp");
  const CELLS = set("td th");
  const KINDS = new Map(Object.entries({
    strong: "strong", b: "strong", em: "emphasis", i: "emphasis", code: "code", kbd: "code", samp: "code", tt: "code",
    del: "deleted", s: "deleted", strike: "deleted", sub: "subscript", sup: "superscript", time: "time",
  }));
  const HEADINGS = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((tag, i) => [tag, i + 1]));
  const ATTRIBUTES = new Set(["role", "colspan", "rowspan", "start", "lang", "dir", "datetime", "itemprop", "aria-hidden", ...options.attributes]);
  const SPANS = { colspan: "colSpan", rowspan: "rowSpan" };
  const LONGEST = { page: 20_000_000, url: 2000, datetime: 100 };
  const DEEPEST = 512; // levels of elements kept, as by the parser: scripts can nest deeper
  const WORDS = /[\p{L}\p{N}]/u;
  const UNCOUNTED = -Infinity; // of a parent in the flattened tree alone: the numbers of its children would name other elements
  const SPACE_WIDTH = 0.25; // em: distance from which on inline boxes look like two words

  const dom = make.dom();
  const { still, unsized } = make.still(dom);
  still(document); // before anything is measured
  const texts = make.text();
  const head = make.head(texts, dom);
  const view = make.view(dom);
  const sight = make.sight(dom, view);
  const generated = make.generated(dom);
  const readImage = make.image(dom, view, texts, unsized);
  const over = make.overlay(dom, view);
  const formulas = make.formula(dom, options.formulas);
  const { nodeType, firstChild, nextSibling, bodyOf, attribute, rectOf, select, selectAll } = dom;
  const { clean } = texts;
  const elements = [];
  const images = [];
  const uncertain = []; // texts that are looked at again
  const frames = []; // those of another origin, and where they stand
  const runs = [];
  const roots = [];
  const hrefs = new Map();
  const ariaLevels = new Map();
  const linked = new Set(Array.from(selectAll(document, 'a[href*="#"]'), (link) => attribute(link, "href").split("#").slice(1).join("#")));
  const reached = []; // names of linked elements since the last text
  let seen = 0;
  let characters = 0;
  let truncated = false;

  // Scopes (an open element of the walk) and groups (its runs, where it is a block).

  /* Note a document or shadow root, and the heading levels that ARIA gives in it; 0 where another role takes a heading's level away. */
  const openRoot = (root) => {
    roots.push(root);
    if (root !== document) sight.expectEffects();
    still(root);
    const find = generated.finder(root);
    for (const element of selectAll(root, '[role="heading" i], :is(h1, h2, h3, h4, h5, h6)[role]')) {
      const level = parseInt(attribute(element, "aria-level")) || HEADINGS.get(element.localName) || 2;
      ariaLevels.set(element, /^heading$/i.test(attribute(element, "role")) ? Math.min(Math.max(level, 1), 9) : 0);
    }
    return find;
  };

  const openScope = (parent, element, tag, style, flow) => {
    const scope = {
      parent, element, tag, style, flow, view: parent?.view, group: parent?.group, mark: parent?.mark, item: parent?.item, dark: false,
      find: parent?.find, generates: false,
      level: ariaLevels.get(element) ?? HEADINGS.get(tag) ?? parent?.level ?? 0, depth: (parent?.depth ?? -1) + 1,
      next: null, list: null, at: 0, row: -1, summary: undefined, position: parent?.count ?? 0, count: 0,
      geometry: null, veil: undefined, folding: undefined, holdsText: undefined, styleRow: -1,
    };
    if (flow !== "inline") scope.group = { scope, runs: 0, live: false, open: {}, parts: null };
    if (tag === "a") openLink(scope);
    else if (KINDS.has(tag)) openMark(scope);
    else if (tag === "details" && !element.open) scope.summary = select(element, ":scope > summary:first-of-type");
    if (tag === "form") scope.next = firstChild(element);
    else if (element.shadowRoot) openShadow(scope);
    else if (tag === "slot" && element.assignedNodes().length > 0) openSlot(scope);
    else scope.next = element.firstChild;
    return scope;
  };

  const openShadow = (scope) => {
    scope.find = openRoot(scope.element.shadowRoot);
    scope.next = scope.element.shadowRoot.firstChild;
    scope.count = UNCOUNTED;
  };

  const openSlot = (scope) => {
    scope.list = scope.element.assignedNodes();
    scope.count = UNCOUNTED;
  };

  const openMark = (scope) => {
    const target = scope.tag === "time" ? clean((attribute(scope.element, "datetime") ?? "").trim().slice(0, LONGEST.datetime)) : "";
    if (scope.tag !== "time" || target !== "") scope.mark = texts.openMark(KINDS.get(scope.tag), target, scope.mark);
  };

  const openLink = (scope) => {
    const href = head.addressOf(scope.element);
    if (href === "") return;
    hrefs.set(scope.element, href);
    const target = /^(https?|mailto|tel|ftp):/i.test(href) && href.length <= LONGEST.url ? clean(href) : "";
    scope.mark = texts.openMark("link", target, scope.mark);
  };

  const enter = (parent, element, tag) => {
    if (SKIPPED.has(tag)) return null;
    if (linked.size > 0 && (!BLOCKS.has(tag) || element.firstChild === null)) {
      const name = attribute(element, "id") || attribute(element, "name");
      if (name && linked.has(name)) reached.push(clean(name));
    }
    if (parent.dark || (parent.summary !== undefined && element !== parent.summary)) return enterDark(parent, element, tag);
    const style = getComputedStyle(element);
    const display = style.getPropertyValue("display");
    if (display === "none") return enterDark(parent, element, tag);
    if (tag === "img") return sight.isImageHidden(element, style) ? null : addImage(parent, element, tag);
    if (tag === "br") return breakLines(parent.group);
    if (tag === "svg" && addDrawing(parent, element)) return null;
    let flow = flowOf(parent, element, tag, display);
    if (flow === "block" && (tag === "span" || KINDS.has(tag)) && isDropCap(element, style)) flow = "inline";
    if (flow === "block") addPart(parent.group, style);
    const tex = formulas.read(element, tag);
    if (tex !== undefined) return addFormula(openScope(parent, element, tag, style, flow), element, tex);
    if (tag === "iframe" || tag === "frame") return openFrame(parent, element, tag, style);
    const generates = parent.find(element);
    if (!generates && isEmpty(element, tag)) {
      if (flow !== "inline" && style.position !== "static") sight.noteCover(openScope(parent, element, tag, style, flow));
      return flow === "atom" ? space(parent.group) : null;
    }
    const scope = openScope(parent, element, tag, style, flow);
    if (flow !== "inline") sight.noteCover(scope);
    if (display === "list-item") scope.item = { scope, isMarked: false };
    if (CELLS.has(tag)) rowOf(scope); // also where it is empty: it keeps its column
    scope.generates = generates;
    if (generates) generate(scope, "::before");
    return scope;
  };

  /* Whether there is nothing in an element to walk; a form is not asked, for its fields may shadow what it would say. */
  const isEmpty = (element, tag) =>
    tag !== "form" && tag !== "slot" && !CELLS.has(tag) && element.firstChild === null && element.shadowRoot === null;

  /* What is alone in a line is separated from the text around it. */
  const space = (group) => {
    for (const run of Object.values(group.open)) if (run !== undefined) run.text.due = true;
    return null;
  };

  const enterDark = (parent, element, tag) => {
    if (tag === "br") return parent.dark ? breakLines({ open: { display: parent.group.open.display } }) : null;
    if (tag === "img" || tag === "svg" || tag === "iframe" || (tag === "noscript" && select(element, "*") === null)) return null;
    const isBlock = BLOCKS.has(tag);
    if (isBlock) delete parent.group.open.display;
    const scope = openScope(parent, element, tag, parent.style, isBlock ? "block" : tag === "button" ? "atom" : "inline");
    scope.dark = true;
    scope.item = undefined;
    scope.folding = PRESERVED.has(tag) ? "preserve" : parent.dark ? parent.folding : "collapse";
    return scope;
  };

  /* inline: part of the run around it; block: a run of its own, and in flow an end of the run before it; atom: a run of its own. */
  const flowOf = (parent, element, tag, display) => {
    if (display === "block" || (tag === "noscript" && isBesideBlocks(parent, element))) return "block";
    if (display === "inline" || display === "contents" || display.startsWith("ruby")) return "inline";
    if (display.endsWith("math")) return tag === "math" && display === "block math" ? "block" : "inline";
    if (!display.startsWith("inline-")) return "block";
    return tag !== "button" && (PHRASING.has(parent.group.scope.tag) || holdsText(parent)) ? "inline" : "atom";
  };

  /* The text of a noscript, which is read with scripts turned off, is no part of the text around it, but in a paragraph or the like. */
  const isBesideBlocks = (parent, element) => parent.flow === "block" && !PHRASING.has(parent.tag) && texts.hasInk(element.textContent);

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

  /* Whether a child is in flow is determined only if there is text beside it. */
  const addPart = (group, style) => {
    (group.parts ??= []).push(style);
    if (!group.live || !isInFlow(style)) return;
    group.open = {};
    group.live = false;
  };

  const breakLines = (group) => {
    for (const run of Object.values(group.open)) if (run !== undefined) texts.breakLine(run.text);
    return null;
  };

  const openFrame = (parent, element, tag, style) => {
    const host = openScope(parent, element, tag, style, "atom");
    host.next = null;
    const rect = view.boxOf(host);
    const scale = host.view.scale * (element.offsetWidth > 0 ? rectOf(element).width / element.offsetWidth : 1);
    const place = {
      x: rect.left + scale * (element.clientLeft + parseFloat(style.paddingLeft)),
      y: rect.top + scale * (element.clientTop + parseFloat(style.paddingTop)),
      scale,
      veil: view.veilOf(host),
    };
    let root = null;
    try {
      root = element.contentDocument;
    } catch {
      root = null; // a frame whose origin is not ours
    }
    if (!root && options.frames === "all" && place.veil !== "display" && view.hasArea(rect)) {
      const { veil: hidden, ...where } = place;
      frames.push({ element, row: rowOf(host), before: runs.length, hidden, ...where });
    }
    if (!root || bodyOf(root) === null) return null;
    const body = bodyOf(root);
    const inside = openScope(host, body, "body", getComputedStyle(body), "block");
    inside.view = view.openView(root, place);
    inside.find = openRoot(root);
    return inside;
  };

  // Text, and what is generated around it.

  /* Add the TeX of a formula in the place of what renders it. */
  const addFormula = (scope, element, tex) => {
    if (tex !== "") readText(scope, element, tex);
    return null;
  };

  const readText = (scope, node, written = node.data) => {
    const { group } = scope;
    const { data, secret } = texts.unveil(written);
    if (secret !== "") texts.add(openRun(scope, "characters", 0).text, secret, "preserve");
    if (!texts.hasInk(data)) {
      const folding = foldingOf(scope);
      if (scope.dark || group.live) for (const run of Object.values(group.open)) if (run !== undefined) texts.add(run.text, data, folding, undefined);
      return;
    }
    const veil = scope.dark || scope.summary !== undefined ? "display" : view.veilOf(scope);
    let rect = null;
    let geometry = view.everywhere;
    let hidden = veil;
    if (veil !== "display") {
      const { range } = scope.view;
      range.selectNodeContents(node);
      rect = view.move(range.getBoundingClientRect(), scope.view);
      geometry = view.geometryOf(scope);
      hidden = view.concealment(veil, geometry, rect);
      if (hidden === "" || hidden === "size") hidden = sight.hide(scope, rect, data, hidden);
    }
    const run = (group.open[hidden] ??= openRun(scope, hidden, geometry.z));
    run.node ??= node;
    if (rect !== null) {
      if (isApart(scope, run, rect, data)) run.text.due = true;
      run.rect = run.rect === null ? rect : view.join(run.rect, rect);
      run.last = isCode(scope.mark) ? null : rect;
    }
    if (run.level !== scope.level) run.level = group.scope.level;
    if (reached.length > 0) run.anchors.push(...reached.splice(0));
    texts.add(run.text, data, foldingOf(scope), scope.mark);
    characters += data.length;
  };

  /* Whether a word is at a distance from the word before it without white space between them, as margins and pictures separate inline
     boxes. Code has padding and may be a part of a word; where white space is kept, the page's own is all there is. */
  const isApart = (scope, run, rect, data) => {
    const { last } = run;
    if (last === null || isCode(scope.mark) || foldingOf(scope) !== "collapse" || !texts.isGlued(run.text, data)) return false;
    const overlap = Math.min(rect.bottom, last.bottom) - Math.max(rect.top, last.top);
    const isOneLine = overlap >= Math.max(rect.bottom - rect.top, last.bottom - last.top) / 2; // nor is one of them a drop cap
    if (!isOneLine || scope.style.writingMode !== "horizontal-tb") return false;
    const gap = Math.max(rect.left - last.right, last.left - rect.right);
    return gap >= SPACE_WIDTH * parseFloat(scope.style.fontSize) * scope.view.scale;
  };

  const isCode = (mark) => mark !== undefined && (mark.kind === "code" || isCode(mark.up));

  const openRun = (scope, hidden, z) => {
    const { group, level, item } = scope;
    group.runs += 1;
    group.live ||= hidden !== "display";
    rowOf(group.scope);
    const run = { group, hidden, z, level, rect: null, last: null, marker: "", anchors: [], text: texts.open(), scope, node: null };
    if (item !== undefined && !item.isMarked && !/^(display|characters)$/.test(hidden)) {
      item.isMarked = true;
      run.marker = clean(generated.markerOf(item.scope.element, item.scope.style, item.scope.generates));
    }
    runs.push(run);
    return run;
  };

  const foldingOf = (scope) => (scope.folding ??= scope.style.whiteSpaceCollapse);

  /* Add the text of a pseudo-element. Beside other text it belongs to its run; alone and without a word it is an ornament. */
  const generate = (scope, which) => {
    const found = generated.read(scope.element, which);
    if (found === null || !texts.hasInk(found.text)) return;
    const { text, style } = found;
    const { group } = scope;
    const isBeside = /^inline/.test(style.display) && isInFlow(style);
    const hasCompany = which === "::before" ? texts.hasInk(scope.element.textContent) : group.live;
    if (!WORDS.test(text) && !(isBeside && hasCompany)) return;
    const hidden = veilOfGenerated(scope, style, isBeside);
    if (hidden === "display") return;
    if (!isBeside && isInFlow(style)) group.open = {};
    const known = group.open[hidden];
    const run = known && isBeside ? known : openRun(scope, hidden, view.geometryOf(scope).z);
    if (isBeside) group.open[hidden] = run;
    texts.add(run.text, text, style.whiteSpaceCollapse, scope.mark);
  };

  /* The box of a pseudo-element cannot be read: it is taken to be its element's, unless its style moves it away. */
  const veilOfGenerated = (scope, style, isBeside) => {
    const veil = view.veilOf(scope);
    if (veil === "display") return veil;
    if (style.visibility !== "visible") return "visibility";
    if (!isBeside && style.overflowX === "hidden" && (parseFloat(style.width) <= 1 || parseFloat(style.height) <= 1)) return "size";
    const box = view.boxOf(scope.flow === "inline" ? scope : scope.group.scope);
    return view.concealment(veil, view.geometryOf(scope), box) || sight.reasonOf(scope, style);
  };

  // The rows of the tables.

  const finish = (run, row) => {
    const { group, z, level, rect, marker, anchors, text } = run;
    const { scope } = group;
    const found = sight.uncertainty(run);
    const hidden = run.hidden === "?" ? "" : run.hidden;
    if (found !== null) uncertain.push({ row, element: run.scope.element, node: run.node ?? run.scope.element, ...found });
    const { text: value, inlines, linked } = texts.finish(text);
    const block = { text: value, element: scope.row };
    if (hidden !== "display") {
      block.box = view.asBox(boxOfRun(group, rect));
      if (!styles.isEmpty) block.style = styles.rowOf(scope);
    }
    if (inlines.length > 0) block.inlines = inlines;
    if (linked > 0) block.link_chars = linked;
    if (hidden !== "") {
      block.hidden = hidden;
      block.reachable = sight.isReachable(run);
    }
    if (marker !== "") block.marker = marker;
    if (anchors.length > 0) block.anchors = anchors;
    if (z !== 0) block.z = z;
    if (level !== 0) block.heading = level;
    return block;
  };

  /* A run that is all that its element holds has the element's box; any other has its own extent along the block, and the element's
     across it. */
  const boxOfRun = (group, rect) => {
    const box = view.boxOf(group.scope);
    if (rect === null) return box;
    if (!view.hasArea(box)) return rect;
    if (group.runs === 1 && (group.parts === null || !group.parts.some(isInFlow))) return box;
    if (group.scope.style.writingMode === "horizontal-tb") return { left: box.left, top: rect.top, right: box.right, bottom: rect.bottom };
    return { left: rect.left, top: box.top, right: rect.right, bottom: box.bottom };
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
    scope.row = elements.push(entry) - 1;
    const names = Element.prototype.getAttributeNames.call(element);
    entry.push("", [], {}, Math.max(scope.position, 0));
    for (const name of names) {
      if (name === "id") entry[2] = clean(attribute(element, name));
      else if (name === "class") entry[3] = classesOf(element);
      else if (ATTRIBUTES.has(name)) entry[4][name] = name in SPANS && CELLS.has(tag) ? String(element[SPANS[name]]) : clean(attribute(element, name));
    }
    const code = tag === "pre" && select(element, ":scope > code[class]"); // which names its language
    if (code) entry[3] = [...(entry[3] ?? []), ...classesOf(code)];
  };

  const classesOf = (element) => clean(attribute(element, "class")).split(/\s+/).filter(Boolean);

  const addImage = (parent, element, tag) => {
    if (tag === "img") sight.noteMissing(element, parent.view);
    const [source, alt, box] = readImage(element, tag, parent.view) ?? [];
    if (source !== undefined) images.push([source, alt, rowOf(parent), runs.length, box]);
    return null;
  };

  /* Record a drawing that has a description; return whether there is nothing in it to read. */
  const addDrawing = (parent, element) => {
    if (attribute(element, "aria-label")) addImage(parent, element, "svg");
    return select(element, "text, foreignObject") === null;
  };

  const leave = (scope) => {
    if (scope.generates) generate(scope, "::after");
    if (scope.flow === "atom") space(scope.parent.group);
    return scope.parent;
  };

  const walk = (root) => {
    let scope = root;
    while (scope !== null) {
      const node = scope.list === null ? scope.next : (scope.list[scope.at++] ?? null);
      if (node === null) {
        scope = leave(scope);
        continue;
      }
      seen += 1;
      truncated = seen > options.node_cap || characters > LONGEST.page;
      if (truncated) return;
      const name = node.localName;
      const tag = name === undefined || typeof name === "string" ? name : "form"; // only a form's can be anything else
      if (scope.list === null) scope.next = tag === "form" ? nextSibling(node) : node.nextSibling;
      if (tag !== undefined) {
        scope.count += 1;
        scope = enter(scope, node, tag) ?? scope;
      } else if (node.nodeType === 3) readText(scope, node);
    }
  };

  const bodyStyle = getComputedStyle(bodyOf(document));
  const styles = make.style(options.properties, bodyStyle, clean);
  const root = openScope(null, bodyOf(document), "body", bodyStyle, "block");
  root.view = view.openView(document, view.top);
  root.geometry = view.everywhere;
  root.find = openRoot(document);
  rowOf(root);
  walk(root);
  const blocks = runs.map(finish);
  if (uncertain.length > 0) globalThis.look = make.look(dom, view, still, sight, uncertain);
  globalThis.frameElements = frames.map(({ element }) => element); // whoever asked for them asks which is which
  return JSON.stringify({
    blocks,
    uncertain: uncertain.map(({ row, hidden, needsPixels }) => [row, hidden, needsPixels]),
    elements,
    styles: styles.table,
    images,
    frames: frames.map(({ row, before, x, y, scale, hidden }) => [row, before, x, y, scale, hidden]),
    ...head.readHead(),
    links: head.readLinks(roots, hrefs),
    layers: over.findLayers(runs, elements),
    password_fields: over.countPasswords(roots),
    body_style: styles.ofBody(),
    truncated,
    viewport: [innerWidth, innerHeight],
    document: [view.size.width, view.size.height],
  });
}
