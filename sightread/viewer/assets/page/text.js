// The extracted text beside the page: Markdown as it was written, set so that it can be read, and the dropped text between it. Pointing at
// either side lights up the other.

const LINES = [
  [/^\s*$/, "gap"],
  [/^#{1,6} /, "heading"],
  [/^>/, "quote"],
  [/^\s*(?:[-*+]|\d+[.)]) /, "item"],
  [/^\|/, "row"],
  [/^!\[/, "image"],
];

function lineClass(line) {
  return LINES.find(([pattern]) => pattern.test(line))?.[1] ?? "";
}

/** A part of the text that belongs to a block or an image. */
function piece(text, { block, image }) {
  const element = make("span", "piece", text);
  if (block !== undefined) element.dataset.number = block;
  else element.dataset.image = image;
  return element;
}

/** The lines of the text as elements, with their parts; those inside a code fence stay as they are. */
function textLines(markdown, parts) {
  let fenced = false;
  let [from, next] = [0, 0];
  return markdown.split("\n").map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    const element = foreign("div", `line ${fenced || fence ? "code" : lineClass(line)}`, []);
    if (fence) fenced = !fenced;
    const to = from + line.length;
    let at = from;
    while (next < parts.length && parts[next].to <= from) next++;
    for (let number = next; number < parts.length && parts[number].from < to; number++) {
      const [begin, end] = [Math.max(at, parts[number].from), Math.min(to, parts[number].to)];
      if (begin > at) element.append(markdown.slice(at, begin));
      if (end > begin) element.append(piece(markdown.slice(begin, end), parts[number]));
      at = Math.max(at, end);
    }
    if (at < to) element.append(markdown.slice(at, to));
    from = to + 1;
    return element;
  });
}

/** Whether the block is kept at the threshold of the slider; at the default as the document has it. */
function keptNow(number) {
  const block = state.view.blocks[number];
  if (state.threshold === 0.5 || block.probability === null) return block.kept;
  return block.probability >= state.threshold && block.hidden !== "display";
}

/** Precision and recall by characters against the labels of the page; null without labels. */
function scoresNow() {
  const { blocks } = state.view;
  const known = blocks.map((block, number) => [block, keptNow(number)]).filter(([block]) => block.label === 0 || block.label === 1);
  if (!known.length) return null;
  const sum = (test) => known.filter(test).reduce((total, [block]) => total + block.text.length, 0);
  const [both, kept, content] = [sum(([block, now]) => now && block.label === 1), sum(([, now]) => now), sum(([block]) => block.label === 1)];
  return [kept ? both / kept : 1, content ? both / content : 1];
}

function slider() {
  const input = make("input", "", [], { type: "range", min: 0.05, max: 0.95, step: 0.05, value: state.threshold, ariaLabel: "Threshold of the kept blocks" });
  input.addEventListener("input", () => change({ threshold: Number(input.value) }));
  return make("label", "slider", ["Threshold", input, make("output", "number", decimals(state.threshold))]);
}

/** What the text is made of now: Markdown, and its blocks in the order in which they were written. */
function textNow() {
  const { view, threshold } = state;
  const kept = view.blocks.map((_, number) => number).filter(keptNow);
  if (threshold !== 0.5) return [kept.map((number) => view.blocks[number].text).join("\n\n"), kept];
  return [view.markdown, view.order.length ? view.order : kept];
}

/** The dropped blocks and images that follow each kept block in document order; those before the first follow -1. */
function droppedAfter(order) {
  const { blocks, images } = state.view;
  const inText = new Set(order);
  const groups = new Map();
  let last = -1;
  const add = (item) => (groups.get(last) ?? groups.set(last, []).get(last)).push(item);
  const unused = images.map((_, image) => image).filter((image) => !images[image].kept && isSeen(images[image]));
  for (let number = 0; number <= blocks.length; number++) {
    while (unused.length && images[unused[0]].before <= number) add({ image: unused.shift() });
    if (number === blocks.length) break;
    if (inText.has(number)) last = number;
    else if (!blocks[number].hidden || state.hidden) add({ block: number });
  }
  return groups;
}

const textOf = ({ block, image }) => (block !== undefined ? state.view.blocks[block].text : `Image: ${state.view.images[image].alt || "without a description"}`);

/** Dropped text in one line, which opens: its parts are made when it does. */
function droppedGroup(items) {
  const sample = items.slice(0, 4).map((item) => textOf(item).slice(0, 40)).join(" · ");
  const summary = make("summary", "", [make("b", "", `${count.format(items.length)} dropped`), foreign("span", "snippet", sample)]);
  const group = make("details", "dropped", summary);
  group.items = items;
  group.fill = () => {
    if (group.childElementCount === 1) group.append(...items.map((item) => foreign("div", "line", piece(textOf(item), item))));
  };
  group.addEventListener("toggle", () => group.open && group.fill());
  if (state.opened) {
    group.fill();
    group.open = true;
  }
  return group;
}

let pieces = new Map(); // block or image → its parts in the text
let groupOf = new Map(); // block or image that is dropped → its group
const keyOf = ({ block, image }) => (block !== undefined && block !== null ? `b${block}` : `i${image}`);

/** Put the dropped text after the lines that it follows on the page. */
function interleave(lines, order) {
  const lastLine = new Map();
  for (const line of lines) for (const part of line.children) if (part.dataset.number !== undefined) lastLine.set(Number(part.dataset.number), line);
  const after = new Map();
  let place = null;
  for (const [block, items] of droppedAfter(order)) {
    place = lastLine.get(block) ?? place; // a block without a line of its own follows the one before
    after.set(place, [...(after.get(place) ?? []), ...items]);
  }
  groupOf = new Map();
  const placed = (items) => {
    const group = droppedGroup(items);
    for (const item of items) groupOf.set(keyOf(item), group);
    return group;
  };
  const first = after.has(null) ? [placed(after.get(null))] : [];
  return [...first, ...lines.flatMap((line) => (after.has(line) ? [line, placed(after.get(line))] : [line]))];
}

function paintText() {
  if (state.tab !== "text") return;
  const panel = $("text");
  const focused = panel.contains(document.activeElement) && document.activeElement.type === "range";
  panel.replaceChildren();
  [pieces, groupOf] = [new Map(), new Map()];
  if (!state.view) return;
  const moved = state.threshold !== 0.5;
  const [markdown, order] = textNow();
  if (markdown === null) return panel.append(make("p", "muted", "No text was extracted from this page."));
  const words = markdown.split(/\s+/).filter(Boolean).length;
  const scores = scoresNow();
  const against = scores ? `, against its labels precision ${decimals(scores[0])} and recall ${decimals(scores[1])}` : "";
  const { model } = state.site.pages[state.page];
  const by = model && model !== "site" && !moved ? `, by the model ${model}` : "";
  const heading = moved ? "Text of the blocks from this threshold" : "Extracted text";
  const opened = button("Dropped text", "o", () => change({ opened: !state.opened }), "inline");
  opened.ariaPressed = String(state.opened);
  const ways = state.site.offers.includes("html") ? button("Beside its HTML alone", "b", compareWays, "inline") : null;
  panel.append(make("header", "", [make("h2", "", heading), state.site.predicted ? slider() : null, make("p", "muted", `${plural(words, "word")}, ${plural(markdown.length, "character")}${by}${against}`), opened, ways]));
  const lines = textLines(markdown, pairUp(markdown, state.view.blocks, state.view.images, order));
  for (const part of lines.flatMap((line) => [...line.children])) {
    const key = part.dataset.number !== undefined ? `b${part.dataset.number}` : `i${part.dataset.image}`;
    pieces.set(key, [...(pieces.get(key) ?? []), part]);
  }
  if (!markdown.trim()) panel.append(make("p", "muted", "The text is empty: nothing was kept."));
  panel.append(make("div", "markdown", interleave(markdown.trim() ? lines : [], order)));
  panel.scrollTo(0, 0);
  if (focused) panel.querySelector("input[type=range]").focus();
  paintFound();
}

/** The parts of the text that show a block or an image; of a dropped one in a closed group the group's own line. */
function partsOf(item) {
  if (item.block === null && item.image === null) return [];
  const key = keyOf(item);
  if (pieces.has(key)) return pieces.get(key);
  const group = groupOf.get(key);
  if (!group) return [];
  return group.open ? [group.children[1 + group.items.findIndex((each) => keyOf(each) === key)].firstChild] : [group.firstChild];
}

let lit = [];
let isFromText = false; // whether the pointer is over the text: then the page follows it, and not the text the page

/** Mark the text of what is selected and of what is under the pointer. */
function paintFound() {
  if (state.tab !== "text") return;
  for (const part of lit) part.classList.remove("found", "pointed");
  const group = groupOf.get(keyOf({ block: state.block, image: state.image }));
  if (group && !group.open) {
    group.fill();
    group.open = true;
  }
  const found = partsOf({ block: state.block, image: state.image });
  const pointed = partsOf({ block: state.hovered, image: state.hoveredImage });
  for (const part of found) part.classList.add("found");
  for (const part of pointed) part.classList.add("pointed");
  lit = [...found, ...pointed];
  if (isFromText) scrollToPart(state.hoveredImage !== null ? $(`image-${state.hoveredImage}`) : elementOf(state.hovered));
  else (pointed[0] ?? found[0])?.scrollIntoView({ block: "nearest" });
}

function startText() {
  const panel = $("text");
  panel.addEventListener("pointerover", (event) => {
    isFromText = true;
    const { block, image } = under(event.target);
    change({ hovered: block, hoveredImage: image });
  });
  panel.addEventListener("pointerleave", () => {
    change({ hovered: null, hoveredImage: null });
    isFromText = false;
  });
  panel.addEventListener("click", (event) => {
    const found = under(event.target);
    if (found.block !== null || found.image !== null) change(found);
  });
  paints("view threshold tab opened hidden", paintText);
  paints("block hovered image hoveredImage", paintFound);
}
