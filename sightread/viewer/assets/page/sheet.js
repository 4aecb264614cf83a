// The page with its blocks drawn over it. Toggles change an attribute of the sheet, and the style sheet does the rest. Of a page with very
// many blocks only those near the window have elements: `elementOf` makes any other.

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

const MANY = 1000; // blocks from which on only those near the window have elements
const NEAR = 0.75; // of the window's height, above and below it
const mounted = new Map();
const dressers = [];

/** Call `dress(element, number)` for each block's element when it is made, and for all of them after a change of one of `names`. */
function dresses(names, dress) {
  dressers.push(dress);
  paints(names, () => mounted.forEach(dress));
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

/** An image of the page as a mark: the picture shows it, and nothing is loaded. */
function drawImage(image, number, size) {
  const element = make("div", `image-mark ${image.kept ? "kept" : "dropped"}`, [], { id: `image-${number}` });
  element.dataset.image = number;
  element.setAttribute("role", "option");
  element.ariaLabel = `Image: ${image.alt || "without a description"}`;
  const [x, y, width, height] = image.box;
  Object.assign(element.style, { left: `${(100 * x) / size[0]}%`, top: `${(100 * y) / size[1]}%`, width: `${(100 * width) / size[0]}%`, height: `${(100 * height) / size[1]}%` });
  return element;
}

const isSeen = ({ box }) => Boolean(box) && box[2] >= 8 && box[3] >= 8;
const boxOf = (number) => state.view.blocks[number].box ?? [0, 0, 0, 0];
let size = null; // of the sheet in CSS px of the page; null where nothing was measured
let layer = null; // holds the blocks
let drawOrder = []; // hidden blocks lowest, then by z-index, then the largest lowest, so that each can be reached

/** Make the element of a block. */
function elementMade(number) {
  const element = drawBlock(state.view.blocks[number], number, size, state.view);
  for (const dress of dressers) dress(element, number);
  mounted.set(number, element);
  return element;
}

/** The element of a block, made now if it has none; null if the block is not drawn. */
function elementOf(number) {
  const { view } = state;
  if (number === null || !view?.blocks[number] || !layer || (size && !(boxOf(number)[2] * boxOf(number)[3]))) return null;
  if (!mounted.has(number)) layer.append(elementMade(number));
  return mounted.get(number);
}

let reached = [0, 0]; // from where to where blocks have elements, in CSS px of the page

/** Give the blocks near the window elements, and take them from the others. */
function mountNear(near = NEAR) {
  if (!layer) return;
  const scroller = $("scroller");
  const zoom = Number($("sheet").dataset.zoom) || 1;
  const [height, top] = [scroller.clientHeight, scroller.scrollTop];
  const [from, to] = [(top - near * height) / zoom, (top + (1 + near) * height) / zoom];
  reached = [from, to];
  const holds = (number) => number === state.block || number === state.hovered || mounted.get(number)?.classList.contains("asked");
  const isNear = (number) => boxOf(number)[1] <= to && boxOf(number)[1] + boxOf(number)[3] >= from;
  const wanted = drawOrder.filter((number) => !isWindowed() || isNear(number) || holds(number));
  const keep = new Set(wanted);
  for (const [number, element] of mounted) {
    if (keep.has(number)) continue;
    element.remove();
    mounted.delete(number);
  }
  let following = layer.firstChild; // elements that are in their place are not touched: the browser lays out the new ones alone
  for (const element of wanted.map((number) => mounted.get(number) ?? elementMade(number))) {
    if (element === following) following = element.nextSibling;
    else layer.insertBefore(element, following);
  }
}

const isWindowed = () => Boolean(size) && state.view.blocks.length > MANY;
let mounting = 0;

/** Mount again when the next frame is drawn, unless all that can be seen has its elements. */
function remount() {
  if (!state.view || !isWindowed()) return;
  cancelAnimationFrame(mounting);
  mounting = requestAnimationFrame(() => {
    const scroller = $("scroller");
    const zoom = Number($("sheet").dataset.zoom) || 1;
    const [from, to] = [scroller.scrollTop / zoom, (scroller.scrollTop + scroller.clientHeight) / zoom];
    if (state.view && !(reached[0] < from && to < reached[1])) mountNear();
  });
}

/** Draw the page anew: the picture where there is one, then the images, then the blocks. */
function paintSheet() {
  const { view } = state;
  const sheet = $("sheet");
  mounted.clear();
  layer = null;
  sheet.replaceChildren();
  if (!view) return;
  size = extent(view);
  sheet.classList.toggle("flow", !size);
  sheet.classList.toggle("many", Boolean(size) && view.blocks.length > MANY);
  sheet.dir = summary().direction;
  if (size) sheet.append(...backdrop(view, size), ...view.images.flatMap((image, number) => (isSeen(image) ? [drawImage(image, number, size)] : [])));
  layer = make("div", "blocks");
  sheet.append(layer);
  const area = (number) => boxOf(number)[2] * boxOf(number)[3];
  drawOrder = view.blocks.map((_, number) => number).filter((number) => !size || area(number) > 0);
  const isVisible = (number) => Number(!view.blocks[number].hidden);
  const height = (number) => view.blocks[number].z;
  if (size) drawOrder.sort((one, other) => isVisible(one) - isVisible(other) || height(one) - height(other) || area(other) - area(one));
  $("scroller").scrollTo(0, 0);
  paintZoom();
  mountNear(0);
  paintModes();
  paintActive();
}

function paintZoom() {
  const room = $("scroller").clientWidth - 32;
  if (!state.view || !size || room <= 0) return;
  const zoom = state.zoom ?? Math.min(1, room / size[0]);
  const sheet = $("sheet");
  sheet.style.width = `${size[0] * zoom}px`;
  sheet.style.height = `${size[1] * zoom}px`;
  sheet.style.setProperty("--zoom", zoom);
  sheet.dataset.zoom = zoom;
  reached = [0, 0];
  remount();
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

/** Mark whether a block is selected, and whether it is of the chosen look. */
function dressMarks(element, number) {
  element.classList.toggle("selected", number === state.block);
  element.classList.toggle("within", state.cluster !== null && Number(element.dataset.cluster) === state.cluster);
  element.setAttribute("aria-selected", number === state.block);
}

function paintActive() {
  const sheet = $("sheet");
  sheet.toggleAttribute("data-only", state.cluster !== null);
  for (const mark of sheet.querySelectorAll(".image-mark")) {
    mark.classList.toggle("selected", Number(mark.dataset.image) === state.image);
    mark.setAttribute("aria-selected", Number(mark.dataset.image) === state.image);
  }
  const active = state.image !== null ? $(`image-${state.image}`) : elementOf(state.block);
  if (active) sheet.setAttribute("aria-activedescendant", active.id);
  else sheet.removeAttribute("aria-activedescendant");
}

let pointed = [];

/** Mark the block or image under the pointer: few elements change, however many blocks there are. */
function paintHovered() {
  for (const element of pointed) element.classList.remove("hovered");
  pointed = [state.hovered === null ? null : elementOf(state.hovered), state.hoveredImage === null ? null : $(`image-${state.hoveredImage}`)].filter(Boolean);
  for (const element of pointed) element.classList.add("hovered");
}

/** Scroll the page so that an element of it can be seen; what can be seen stays where it is. */
function scrollToPart(element) {
  const scroller = $("scroller");
  if (!element) return;
  const top = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const inView = top >= 0 && top + Math.min(80, element.offsetHeight) <= scroller.clientHeight;
  if (!inView) scroller.scrollBy({ top: top - scroller.clientHeight / 3 });
}

function reveal() {
  if (!state.view) return;
  if (state.image !== null) return scrollToPart($(`image-${state.image}`));
  const first = state.cluster === null ? -1 : state.view.blocks.findIndex((block, number) => block.cluster === state.cluster && drawn(block) && (!size || boxOf(number)[2] > 0));
  scrollToPart(elementOf(state.block ?? (first < 0 ? null : first)));
}

/** Select the next block that passes the test, from the one selected, in document order. */
function seek(by, test) {
  const { blocks } = state.view;
  const start = state.block ?? (by > 0 ? -1 : blocks.length);
  for (let number = start + by; number >= 0 && number < blocks.length; number += by) {
    if (test(blocks[number], number)) return change({ block: number });
  }
}

/** Select the next image that can be seen, or the previous one. */
function seekImage(by) {
  const { images } = state.view;
  const start = state.image ?? (by > 0 ? -1 : images.length);
  for (let number = start + by; number >= 0 && number < images.length; number += by) {
    if (isSeen(images[number]) || images[number].kept) return change({ image: number });
  }
}

const drawn = (block) => !block.hidden || state.hidden;
const doubtful = (block) => block.disagrees || block.unsure;

/** The block and the image at an element of the page or of its text. */
function under(target) {
  const found = target.closest?.("[data-number], [data-image]");
  const read = (name) => (found?.dataset[name] === undefined ? null : Number(found.dataset[name]));
  return { block: read("number"), image: read("image") };
}

/** The block and the image at the pointer: of the blocks there the last in `drawOrder`, whatever a mark has raised above it. */
function atPointer(event) {
  const found = document.elementsFromPoint(event.clientX, event.clientY).filter((element) => element.matches("#sheet .block"));
  if (!size || !found.length) return under(event.target);
  const rank = (element) => drawOrder.indexOf(Number(element.dataset.number));
  return under(found.reduce((one, other) => (rank(other) > rank(one) ? other : one)));
}

function startSheet() {
  const sheet = $("sheet");
  sheet.addEventListener("click", (event) => change(atPointer(event)));
  sheet.addEventListener("pointermove", (event) => {
    const { block, image } = atPointer(event);
    change({ hovered: block, hoveredImage: image });
  });
  sheet.addEventListener("pointerleave", () => change({ hovered: null, hoveredImage: null }));
  $("scroller").addEventListener("scroll", remount, { passive: true });
  new ResizeObserver(paintZoom).observe($("scroller"));
  paints("view", paintSheet);
  paints("zoom", paintZoom);
  paints("colour differ hidden picture cluster", paintModes);
  dresses("block cluster", dressMarks);
  paints("block cluster image", paintActive);
  paints("hovered hoveredImage view", paintHovered);
  paints("block view cluster image", reveal);
}
