// What is looked at, and the one way to change it. The address keeps it, so that a reload or a link comes back to the same block.

const state = {
  site: null,
  view: null,
  colours: null,
  tab: null,
  page: 0,
  block: null,
  hovered: null,
  cluster: null,
  colour: "prediction",
  differ: true,
  hidden: false,
  picture: true,
  zoom: null,
  query: "",
  sort: "site",
  corrections: null,
  preview: null,
  target: "look",
  scope: "site",
  models: null,
  reference: null,
  model: null,
  threshold: 0.5,
  diff: "",
  opened: false,
  image: null,
  hoveredImage: null,
  map: null,
  arrangement: "look",
  point: null,
  history: null,
  against: null,
  comparison: null,
  scheme: null,
};

const TABS = ["overview", "blocks", "text", "looks", "correct", "models", "map", "versions"];
const DIFFS = ["words", "sides"]; // of two documents; without one their blocks are compared
const ARRANGEMENTS = ["look", "page", "place"];

const FLEETING = ["hovered", "hoveredImage", "point", "scheme", "map"]; // what the address does not keep
const painters = [];

/** Call `paint` after every change of one of `names`. */
function paints(names, paint) {
  painters.push([names.split(" "), paint]);
}

/** Change the state, repaint what depends on it, and note it in the address. */
function change(patch) {
  if (patch.block !== undefined && patch.block !== null) patch = { image: null, ...patch };
  if (patch.image !== undefined && patch.image !== null) patch = { ...patch, block: null };
  const changed = Object.keys(patch).filter((name) => state[name] !== patch[name]);
  Object.assign(state, patch);
  for (const [names, paint] of painters) if (names.some((name) => changed.includes(name))) paint();
  if (state.site && changed.some((name) => !FLEETING.includes(name))) remember();
}

const ADDRESS_DELAY = 150; // browsers refuse an address that changes too often
let remembering = null;

let opening = 0; // places of the address whose page is not there yet: it stays as it is until then

function remember() {
  clearTimeout(remembering);
  if (!opening) remembering = setTimeout(noteAddress, ADDRESS_DELAY);
}

/** Wait for a page that the address names. */
async function opened(page) {
  opening += 1;
  try {
    await page;
  } finally {
    opening -= 1;
    remember();
  }
}

function noteAddress() {
  const place = new URLSearchParams({ view: state.tab, page: state.page });
  if (state.block !== null) place.set("block", state.block);
  if (state.cluster !== null) place.set("cluster", state.cluster);
  if (state.tab === "models") {
    if (state.model) place.set("model", state.model);
    if (state.reference) place.set("against", state.reference);
    if (state.diff) place.set("diff", state.diff);
  }
  if (state.tab === "map") place.set("by", state.arrangement);
  if (state.tab === "versions" && state.against) place.set("version", state.against);
  if (state.threshold !== 0.5) place.set("threshold", state.threshold);
  history.replaceState(null, "", `#${place}`);
}

/** The place that the address names, checked against the site. */
function placeInAddress(site, hash = location.hash) {
  const place = new URLSearchParams(hash.slice(1));
  const whole = (name) => (/^-?\d{1,9}$/.test(place.get(name) ?? "") ? Number(place.get(name)) : null);
  const tab = TABS.find((name) => name === place.get("view"));
  const page = whole("page");
  const cluster = site.clusters.some(({ id }) => id === whole("cluster")) ? whole("cluster") : null;
  const known = page !== null && page >= 0 && page < site.pages.length;
  const threshold = /^0\.\d{1,2}$/.test(place.get("threshold") ?? "") ? Number(place.get("threshold")) : 0.5;
  const view = {
    threshold,
    model: place.get("model"),
    reference: place.get("against"),
    diff: DIFFS.find((name) => name === place.get("diff")) ?? "",
    against: place.get("version"),
    arrangement: ARRANGEMENTS.find((name) => name === place.get("by")) ?? "look",
  };
  return { tab, page: known ? page : 0, block: known ? whole("block") : null, cluster, view };
}

const summary = () => state.site.pages[state.page];
const clusterOf = (id) => state.site.clusters.find((cluster) => cluster.id === id) ?? null;

/** Open a page, and perhaps a block of it; resolves when its blocks are drawn, or when another page was asked for meanwhile. */
async function openPage(page, block = null, tab = null) {
  if (tab) change({ tab }); // before the page is fetched: meanwhile another tab may be chosen
  if (page !== state.page || !state.view) {
    change({ view: null, block: null, hovered: null, image: null, hoveredImage: null, page });
    const view = await source.page(page);
    if (page !== state.page) return;
    change({ view });
  }
  change({ block: block !== null && state.view.blocks[block] ? block : null, image: null });
}

/** The map of all blocks, fetched when it is first needed and again after a correction. */
async function loadMap() {
  if (state.map || loadMap.running) return;
  loadMap.running = true;
  const site = state.site;
  try {
    const map = await source.map();
    if (site === state.site) change({ map: withRanges(map) });
  } finally {
    loadMap.running = false;
  }
  if (site !== state.site) await loadMap(); // corrected meanwhile
}

/** The map with the range of entries of each page. */
function withRanges(map) {
  const ranges = map.sizes.map(() => [0, 0]);
  map.page.forEach((page, entry) => {
    if (!ranges[page][1]) ranges[page][0] = entry;
    ranges[page][1] = entry + 1;
  });
  return { ...map, ranges };
}

const KEPT = 1, UNSURE = 2, DISAGREES = 4, CONTENT = 8, BOILERPLATE = 16, HIDDEN_BLOCK = 32; // of `map.flags`

/** Highlight a cluster, on this page or else on the first page that has it. */
async function highlight(cluster, tab = state.tab) {
  change({ cluster, colour: "cluster" });
  const here = cluster === null || summary().clusters.includes(cluster);
  const first = state.site.pages.findIndex((page) => page.clusters.includes(cluster));
  await openPage(here || first < 0 ? state.page : first, here ? state.block : null, tab);
}
