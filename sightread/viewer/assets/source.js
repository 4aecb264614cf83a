// Where the data comes from: the report carries it in data blocks, the inspector serves it. The rest of the viewer cannot tell which.

/** Unpack a data block of the report: JSON, compressed by gzip, in base64. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob($(id).textContent), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

const embedded = {
  site: () => unpacked("site"),
  page: (row) => unpacked(`page-${row}`),
  map: () => unpacked("site-map"),
  picture: (row, tile) => `data:image/webp;base64,${$(`picture-${row}-${tile}`).textContent}`,
  reasons: async (row, number) => {
    const view = await source.page(row);
    return view.blocks[number].reasons.map(([feature, weight]) => [view.features[feature], weight]);
  },
  why: async () => null,
  models: async () => null,
  document: async () => null,
  corrections: async () => null,
  history: async () => null,
  comparison: async () => null,
};

const FETCHING = [["pages/", "Opening the page"], ["models/", "Reading the page with every model"], ["document", "Reading the page with the model"], ["versions/", "Reading all pages with the other version"]];

async function fetched(path) {
  const [, doing] = FETCHING.find(([start]) => path.startsWith(start)) ?? ["", state.site?.waiting_for || "Loading"];
  const response = await working(doing, fetch(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Send a change, by default of the corrections; an error has the message of the response. */
async function sent(action, content = {}, below = "corrections/") {
  const response = await fetch(`${below}${action}?page=${state.page}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });
  if (response.ok) return response.json();
  const text = await response.text();
  throw new Error(text.startsWith("{") ? JSON.parse(text).error.message : text.trim());
}

/** Fetch what the server offers; null from a server that does not. */
const offered = async (name, path) => (state.site.offers.includes(name) ? fetched(path) : null);

const served = {
  site: () => fetched("data.json"),
  complete: () => fetched("complete.json"),
  page: (row) => fetched(`pages/${row}.json`),
  map: () => fetched("map.json"),
  picture: (row, tile) => `pictures/${row}-${tile}.webp`,
  reasons: (row, number) => fetched(`explain?page=${row}&block=${number}`),
  why: (row, number) => offered("why", `why?page=${row}&block=${number}`),
  models: (row) => offered("models", `models/${row}.json`),
  document: (row, model) => offered("documents", `document?page=${row}&model=${encodeURIComponent(model)}`),
  corrections: () => offered("corrections", `corrections?page=${state.page}`),
  history: () => offered("history", "history.json"),
  comparison: (number) => offered("history", `versions/${number}.json`),
};

const source = $("site") ? embedded : served;

const PAGES_HELD = 24; // pages kept after they were fetched: those that samples and the map show texts of
const held = new Map();

/** A page that is shown beside others, fetched once. */
function pageOf(row) {
  if (!held.has(row)) held.set(row, source.page(row));
  const view = held.get(row);
  held.delete(row); // the one used last is the last to go
  held.set(row, view);
  while (held.size > PAGES_HELD) held.delete(held.keys().next().value);
  return view;
}
