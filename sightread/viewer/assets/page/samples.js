// Small pictures: the sample of a look, cut from the picture of a page or set in its style, and the outline of a page. Both are canvases.

const SAMPLE = [300, 84]; // most CSS px of a sample
const MARGIN = 6; // CSS px of the page around a sample
const tiles = new Map();

/** A colour of the style sheet, as a canvas takes it. */
function themed(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A canvas of CSS px, sharp on any screen, and its context. */
function canvasOf(width, height, className = "") {
  const ratio = window.devicePixelRatio || 1;
  const canvas = make("canvas", className, [], { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return [canvas, context];
}

/** A tile of a page's picture, decoded once. */
function tileOf(page, number) {
  const key = `${page}-${number}`;
  if (!tiles.has(key)) {
    const image = make("img", "", [], { src: source.picture(page, number) });
    tiles.set(key, image.decode().then(() => image));
    if (tiles.size > PAGES_HELD) tiles.delete(tiles.keys().next().value);
  }
  return tiles.get(key);
}

/** Cut the box of a block out of its page's picture; null if there is no picture of it. */
async function cutOut(page, number) {
  const view = await pageOf(page);
  const { box } = view.blocks[number];
  const wide = Math.min(view.document?.[0] ?? Infinity, view.viewport?.[0] ?? Infinity);
  if (!box || !Number.isFinite(wide)) return null;
  let top = 0;
  for (let tile = 1; tile <= state.site.pages[page].tiles; tile++) {
    const image = await tileOf(page, tile);
    const scale = image.naturalWidth / wide;
    const height = image.naturalHeight / scale;
    if (box[1] < top + height) {
      const x = Math.max(0, box[0] - MARGIN);
      const y = Math.max(0, box[1] - top - MARGIN);
      const width = Math.min(SAMPLE[0] / 0.62, box[2] + 2 * MARGIN, wide - x);
      const tall = Math.min(SAMPLE[1] / 0.62, box[3] + 2 * MARGIN, height - y);
      if (width < 4 || tall < 4) return null;
      const shown = Math.min(1, SAMPLE[0] / width);
      const [canvas, context] = canvasOf(width * shown, tall * shown, "cutout");
      context.drawImage(image, x * scale, y * scale, width * scale, tall * scale, 0, 0, width * shown, tall * shown);
      return canvas;
    }
    top += height;
  }
  return null;
}

/** For each cluster a block that stands for it, on as few pages as possible: few pictures are fetched. */
function examples(map) {
  const found = new Map();
  const wanted = new Map(); // cluster → page → its best entry there
  for (let entry = 0; entry < map.page.length; entry++) {
    const cluster = map.cluster[entry];
    if (cluster < 0 || map.flags[entry] & HIDDEN_BLOCK || !state.site.pages[map.page[entry]].tiles) continue;
    const pages = wanted.get(cluster) ?? wanted.set(cluster, new Map()).get(cluster);
    const best = pages.get(map.page[entry]);
    if (best === undefined || worth(map, entry) > worth(map, best)) pages.set(map.page[entry], entry);
  }
  while (wanted.size) {
    const reach = new Map();
    for (const pages of wanted.values()) for (const page of pages.keys()) reach.set(page, (reach.get(page) ?? 0) + 1);
    const [page] = [...reach].reduce((one, other) => (other[1] > one[1] ? other : one));
    for (const [cluster, pages] of wanted) {
      if (!pages.has(page)) continue;
      found.set(cluster, [page, map.block[pages.get(page)]]);
      wanted.delete(cluster);
    }
  }
  return found;
}

/** A block is a good example if its text is of a readable length. */
const worth = (map, entry) => Math.min(map.characters[entry], 240);

/** The outline of a page: its blocks as rectangles, kept ones filled. */
function outline(map, page, width, height) {
  const [canvas, context] = canvasOf(width, height, "outline");
  const [wide, tall] = map.sizes[page];
  if (!wide || !tall) return canvas;
  const scale = width / wide;
  const shown = Math.min(tall, height / scale); // a long page is cut, so that its columns can be seen
  const [kept, dropped] = [themed("--kept"), themed("--dropped")];
  const [from, to] = map.ranges[page];
  for (let entry = from; entry < to; entry++) {
    if (map.flags[entry] & HIDDEN_BLOCK || map.y[entry] > shown) continue;
    const isKept = map.flags[entry] & KEPT;
    context.globalAlpha = isKept ? 0.85 : 0.4;
    context.fillStyle = isKept ? kept : dropped;
    context.fillRect(map.x[entry] * scale, map.y[entry] * scale, Math.max(1, map.width[entry] * scale - 0.5), Math.max(1, map.height[entry] * scale - 0.5));
  }
  return canvas;
}

/** The outline of a page, drawn once the map is there. */
function outlined(page, width, height) {
  const place = make("span", "outline-place", [], { ariaHidden: "true" });
  place.style.width = `${width}px`;
  place.style.height = `${height}px`;
  if (state.map) place.append(outline(state.map, page, width, height));
  return place;
}

function startSamples() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => change({ scheme: dark.matches }));
}
