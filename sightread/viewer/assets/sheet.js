// The page with its blocks drawn over it. Toggles change an attribute of the sheet, and the style sheet does the rest.

const BODY_FONT = 16;

/**
 * The part of a page to draw in CSS px, from its origin; null where nothing was measured. It is the document, but no wider than the viewport
 * and the blocks that a reader can see: text that is moved far aside to hide it makes right-to-left documents many screens wide.
 */
function extent({ blocks, document: whole, viewport }) {
  const boxes = blocks.filter(({ box, hidden }) => box && !hidden).map(({ box }) => box);
  if (!boxes.length && !whole) return null;
  const right = boxes.reduce((most, [x, , width]) => Math.max(most, x + width), viewport?.[0] ?? 0);
  const bottom = boxes.reduce((most, [, y, , height]) => Math.max(most, y + height), 0);
  return whole?.[0] && whole[1] ? [Math.min(whole[0], right), whole[1]] : [right, bottom];
}

function drawBlock(block, number, size, view) {
  const element = foreign("div", "block", block.text);
  element.id = `block-${number}`;
  element.dataset.number = number;
  element.setAttribute("role", "option");
  for (const name of ["kept", "unsure", "disagrees"]) element.toggleAttribute(`data-${name}`, block[name]);
  if (block.hidden) element.dataset.hidden = block.hidden;
  if (block.label !== null) element.dataset.label = block.label;
  if (block.cluster !== null) element.dataset.cluster = block.cluster;
  const cluster = clusterOf(block.cluster);
  element.toggleAttribute("data-content", Boolean(cluster && isContent(cluster)));
  if (block.probability !== null) element.dataset.probability = decimals(block.probability).replace(/^0/, "");
  element.style.setProperty("--cluster", state.colours.get(block.cluster) ?? "#8a8f98");
  if (!size) return element;
  const [x, y, width, height] = block.box ?? [0, 0, 0, 0];
  const style = block.style === null ? {} : view.styles[block.style];
  element.style.left = `${(100 * x) / size[0]}%`;
  element.style.top = `${(100 * y) / size[1]}%`;
  element.style.width = `${(100 * width) / size[0]}%`;
  element.style.height = `${(100 * height) / size[1]}%`;
  element.style.setProperty("--font", Math.min(64, Number.parseFloat(style["font-size"]) || BODY_FONT));
  element.classList.toggle("bold", Number.parseInt(style["font-weight"], 10) > 550);
  return element;
}

/** What stands behind the blocks: the picture's tiles, as wide as the window, and the fold. */
function backdrop(view, size) {
  const parts = [];
  for (let tile = 1; tile <= summary().tiles; tile++) {
    const picture = make("img", "picture", [], { alt: "", decoding: "async", src: source.picture(state.page, tile) });
    picture.style.width = `${(100 * Math.min(view.document?.[0] ?? size[0], view.viewport?.[0] ?? Infinity)) / size[0]}%`;
    parts.push(picture);
  }
  if (view.viewport && view.viewport[1] < size[1]) {
    const fold = make("div", "fold", make("span", "", "fold"));
    fold.style.top = `${(100 * view.viewport[1]) / size[1]}%`;
    parts.push(fold);
  }
  return parts;
}

const MANY = 1000; // blocks from which on a browser is slow to lay out one container each, which labels of small blocks need

/** Draw the page anew: the picture where there is one, then the blocks, the largest lowest so that each can be reached. */
function paintSheet() {
  const { view } = state;
  const sheet = $("sheet");
  sheet.replaceChildren();
  if (!view) return;
  const size = extent(view);
  sheet.classList.toggle("flow", !size);
  sheet.classList.toggle("many", Boolean(size) && view.blocks.length > MANY);
  sheet.dir = summary().direction;
  if (size) sheet.append(...backdrop(view, size));
  const area = (number) => (view.blocks[number].box ?? [0, 0, 0, 0]).slice(2).reduce((width, height) => width * height);
  const order = view.blocks.map((_, number) => number).filter((number) => !size || area(number) > 0);
  if (size) order.sort((one, other) => area(other) - area(one));
  sheet.append(...order.map((number) => drawBlock(view.blocks[number], number, size, view)));
  paintZoom();
  paintModes();
  paintMarks();
  $("scroller").scrollTo(0, 0);
}

function paintZoom() {
  const size = state.view && extent(state.view);
  const room = $("scroller").clientWidth - 32;
  if (!size || room <= 0) return;
  const zoom = state.zoom ?? Math.min(1, room / size[0]);
  const sheet = $("sheet");
  sheet.style.width = `${size[0] * zoom}px`;
  sheet.style.height = `${size[1] * zoom}px`;
  sheet.style.setProperty("--zoom", zoom);
  sheet.dataset.zoom = zoom;
}

/** Zoom by a factor from what is seen now. */
function zoomBy(factor) {
  change({ zoom: Math.min(3, Math.max(0.1, Number($("sheet").dataset.zoom ?? 1) * factor)) });
}

function paintModes() {
  if (!state.view) return;
  const sheet = $("sheet");
  sheet.dataset.colour = state.colour;
  sheet.toggleAttribute("data-differ", state.differ);
  sheet.toggleAttribute("data-show-hidden", state.hidden);
  sheet.toggleAttribute("data-blank", !(state.picture && summary().tiles));
  for (const button of $("colour").children) button.setAttribute("aria-checked", button.dataset.colour === state.colour);
  for (const name of ["differ", "hidden", "picture"]) $(`toggle-${name}`).setAttribute("aria-pressed", state[name]);
  $("toggle-picture").disabled = !summary().tiles;
  paintLegend();
}

function legendEntry(mark, text, colour = null) {
  const icon = make("i", `mark ${mark}`);
  if (colour) icon.style.setProperty("--c", colour);
  return make("span", "entry", [icon, text]);
}

/** What the colours stand for and how many blocks have each; doubts are left out where there are none. */
function legendEntries({ blocks }) {
  const total = (test) => blocks.filter(test).length;
  const entry = (mark, name, test, colour) => legendEntry(mark, `${name} ${count.format(total(test))}`, colour);
  const doubt = (mark, name, test) => (total(test) ? entry(mark, name, test) : null);
  const differ = doubt("differs", "differ", (block) => block.disagrees);
  if (state.colour === "prediction") {
    const kept = [entry("kept", "kept", (block) => block.kept), entry("dropped", "dropped", (block) => !block.kept)];
    return [...kept, doubt("kept unsure", "unsure", (block) => block.unsure), differ];
  }
  if (state.colour === "label") {
    const labelled = [entry("kept", "content", (block) => block.label === 1), entry("dropped", "boilerplate", (block) => block.label === 0)];
    return [...labelled, doubt("unknown", "unknown", (block) => block.label === -1), differ];
  }
  const here = state.site.clusters.filter((cluster) => isContent(cluster) && summary().clusters.includes(cluster.id));
  const chosen = here.map(({ id, role }) => entry("cluster", `${id} ${role || "content"}`, (block) => block.cluster === id, state.colours.get(id)));
  return [...chosen, entry("cluster", "others", (block) => !here.some(({ id }) => id === block.cluster)), differ];
}

function paintLegend() {
  if (!state.view) return;
  const entries = legendEntries(state.view).filter(Boolean);
  if (state.cluster !== null) {
    const chip = make("button", "chip", [`only cluster ${state.cluster}`, make("span", "cross", "×")], { title: "Show all clusters (Esc)" });
    chip.addEventListener("click", () => change({ cluster: null }));
    entries.push(chip);
  }
  $("legend").replaceChildren(...entries);
}

function paintMarks() {
  const sheet = $("sheet");
  sheet.toggleAttribute("data-only", state.cluster !== null);
  for (const element of sheet.querySelectorAll(".block")) {
    const number = Number(element.dataset.number);
    element.classList.toggle("selected", number === state.block);
    element.classList.toggle("within", state.cluster !== null && Number(element.dataset.cluster) === state.cluster);
    element.setAttribute("aria-selected", number === state.block);
  }
  if (state.block === null) sheet.removeAttribute("aria-activedescendant");
  else sheet.setAttribute("aria-activedescendant", `block-${state.block}`);
}

let pointed = null;

/** Mark the block under the pointer: two elements change, however many blocks there are. */
function paintHovered() {
  pointed?.classList.remove("hovered");
  pointed = state.hovered === null ? null : $(`block-${state.hovered}`);
  pointed?.classList.add("hovered");
}

function reveal() {
  const element = state.block === null ? document.querySelector("#sheet[data-only] .block.within") : $(`block-${state.block}`);
  const scroller = $("scroller");
  if (!element) return;
  const top = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const inView = top >= 0 && top + Math.min(80, element.offsetHeight) <= scroller.clientHeight;
  if (!inView) scroller.scrollBy({ top: top - scroller.clientHeight / 3 });
}

/** Select the next block that passes the test, from the one selected, in document order. */
function seek(by, test) {
  const { blocks } = state.view;
  const start = state.block ?? (by > 0 ? -1 : blocks.length);
  for (let number = start + by; number >= 0 && number < blocks.length; number += by) {
    if (test(blocks[number], number)) return change({ block: number });
  }
}

const drawn = (block) => !block.hidden || block.kept || state.hidden;
const doubtful = (block) => drawn(block) && (block.disagrees || block.unsure);

function startSheet() {
  const sheet = $("sheet");
  const numberAt = (event) => event.target.closest?.(".block")?.dataset.number ?? null;
  sheet.addEventListener("click", (event) => change({ block: numberAt(event) === null ? null : Number(numberAt(event)) }));
  sheet.addEventListener("pointerover", (event) => change({ hovered: numberAt(event) === null ? null : Number(numberAt(event)) }));
  sheet.addEventListener("pointerleave", () => change({ hovered: null }));
  new ResizeObserver(paintZoom).observe($("scroller"));
  paints("view", paintSheet);
  paints("zoom", paintZoom);
  paints("colour differ hidden picture cluster", paintModes);
  paints("block cluster", paintMarks);
  paints("hovered view", paintHovered);
  paints("block view cluster", reveal);
}
