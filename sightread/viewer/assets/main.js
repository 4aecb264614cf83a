// The header, the tabs, the keys, and the start.

function paintHeader() {
  const { job, pages } = state.site;
  const blocks = pages.reduce((sum, page) => sum + page.blocks, 0);
  document.title = `${job.name} · sightread`;
  $("site-name").textContent = job.name;
  const made = job.made_at ? ` · ${job.made_at.replace("T", " ").replace(/:\d\d(?:\.\d+)?(?:Z|\+00:00)?$/, " UTC")}` : "";
  $("site-made").replaceChildren(outward(job.url, ""), made);
  const figures = [
    ["Pages", count.format(pages.length)],
    ["Failed", job.failures.length ? make("span", "warn", count.format(job.failures.length)) : null],
    ["Blocks", count.format(blocks)],
    ["Expected F1", job.expected_f1 === null ? null : decimals(job.expected_f1)],
    ["Model", job.model || null],
  ];
  $("figures").replaceChildren();
  for (const [term, value] of figures) if (value !== null) $("figures").append(make("div", "", [make("dt", "", term), make("dd", "", value, { title: typeof value === "string" ? value : "" })]));
}

function paintTab() {
  document.body.dataset.tab = state.tab;
  for (const button of document.querySelectorAll("[role=tab]")) button.ariaSelected = String(button.dataset.tab === state.tab);
}

const zoomKeys = { "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: () => change({ zoom: null }) };
const keys = {
  j: () => step(1),
  k: () => step(-1),
  p: () => state.site.predicted && change({ colour: "prediction" }),
  l: () => state.site.labelled && change({ colour: "label" }),
  c: () => state.site.labelled && change({ colour: "cluster" }),
  d: () => change({ differ: !state.differ }),
  h: () => change({ hidden: !state.hidden }),
  i: () => change({ picture: !state.picture }),
  n: () => state.view && seek(1, doubtful),
  N: () => state.view && seek(-1, doubtful),
  ArrowRight: () => state.view && seek(1, drawn),
  ArrowLeft: () => state.view && seek(-1, drawn),
  1: () => change({ tab: "overview" }),
  2: () => change({ tab: "blocks" }),
  3: () => change({ tab: "text" }),
  4: () => state.site.clusters.length && change({ tab: "looks" }),
  5: () => state.site.offers.includes("corrections") && change({ tab: "correct" }),
  6: () => state.site.offers.includes("models") && change({ tab: "models" }),
  7: () => hasMap() && change({ tab: "map" }),
  8: () => state.site.offers.includes("history") && change({ tab: "versions" }),
  a: () => state.tab === "map" && change({ arrangement: ARRANGEMENTS[(ARRANGEMENTS.indexOf(state.arrangement) + 1) % ARRANGEMENTS.length] }),
  w: () => state.tab === "models" && state.site.offers.includes("documents") && change({ diff: state.diff === "words" ? "" : "words" }),
  b: () => state.site.offers.includes("html") && compareWays(),
  o: () => state.tab === "text" && change({ opened: !state.opened }),
  g: () => state.view && seekImage(1),
  G: () => state.view && seekImage(-1),
  y: () => decide(true),
  x: () => decide(false),
  s: () => state.corrections && !state.preview && answerQuestion(null),
  z: () => state.corrections?.can_undo && act("undo"),
  Z: () => state.corrections?.can_redo && act("redo"),
  Enter: () => state.preview && saveCorrection(),
  m: () => state.view && seek(1, modelsDiffer),
  M: () => state.view && seek(-1, modelsDiffer),
  "?": () => $("help").showModal(),
  "/": () => $("filter").focus(),
  Escape: () => (state.preview ? discardCorrection() : change(state.block !== null || state.image !== null ? { block: null, image: null } : { cluster: null })),
  ...zoomKeys,
};

function onKey(event) {
  if (event.key === "Escape" && showPages(false)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const typing = event.target.matches("input, select");
  if (typing && event.key === "Escape") event.target.blur();
  if (typing || (event.key === "Enter" && event.target.matches("button, a, summary"))) return;
  const isMapKey = onMapKey(event.key);
  if (!isMapKey && !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  if (!isMapKey) keys[event.key]();
}

/** Whether there is more than one page to map. */
const hasMap = () => state.site.pages.length > 1;

function startControls() {
  for (const button of document.querySelectorAll("[role=tab]")) button.addEventListener("click", () => change({ tab: button.dataset.tab }));
  for (const button of $("colour").children) button.addEventListener("click", () => change({ colour: button.dataset.colour }));
  $("zoom-in").addEventListener("click", zoomKeys["+"]);
  $("zoom-out").addEventListener("click", zoomKeys["-"]);
  $("zoom-fit").addEventListener("click", zoomKeys[0]);
  $("help-button").addEventListener("click", keys["?"]);
  document.addEventListener("keydown", onKey);
  for (const name of ["differ", "hidden", "picture"]) $(`toggle-${name}`).addEventListener("click", () => change({ [name]: !state[name] }));
  paints("tab", paintTab);
  paints("site", paintOffers);
  paintOffers();
}

/** Show the controls of what is known of the site. */
function paintOffers() {
  const { predicted, labelled } = state.site;
  const known = { prediction: predicted, label: labelled, cluster: labelled };
  for (const button of $("colour").children) button.hidden = !known[button.dataset.colour];
  const tabs = {
    overview: state.site.pages.length !== 1 || labelled,
    looks: state.site.clusters.length > 0,
    map: hasMap(),
    versions: state.site.offers.includes("history"),
    correct: state.site.offers.includes("corrections"),
    models: state.site.offers.includes("models"),
  };
  for (const button of document.querySelectorAll("[role=tab]")) button.hidden = tabs[button.dataset.tab] === false;
  $("toggle-differ").hidden = !(predicted && labelled);
  paintHeader();
}

async function start() {
  const site = await source.site();
  state.site = site;
  state.colours = clusterColours(site.clusters);
  state.colour = site.predicted ? "prediction" : "label";
  for (const begin of [startControls, startOverview, startSamples, startPages, startLooks, startSheet, startDetail, startText, startCorrect, startModels, startMap, startVersions, startLearn]) begin();
  const fallback = site.labelled && site.pages.length > 1 ? "overview" : "blocks";
  if (!placeInAddress(site).tab) change({ tab: site.pages.length ? fallback : "overview" });
  window.addEventListener("hashchange", goToAddress); // a link to another place of this site
  await goToAddress();
  if (site.waiting_for) await complete();
  await loadCorrections();
}

/** Fetch what the server computes after the first view. */
async function complete() {
  const before = state.site;
  const site = await source.complete();
  await showSite(site);
  if (site.predicted && !before.predicted) change({ colour: "prediction" });
  announce("All pages are read: texts, scores and questions are there.");
}

/** Go to the place that the address names, or that it named at this event: it may have been written anew since. */
async function goToAddress(event = null) {
  const place = placeInAddress(state.site, event ? new URL(event.newURL).hash : location.hash);
  await opened(goTo(place));
}

async function goTo(place) {
  change({ ...place.view, ...(place.tab ? { tab: place.tab } : {}), site: state.site });
  if (place.cluster !== null) change({ cluster: place.cluster, colour: "cluster" });
  if (state.site.pages.length) await openPage(place.page, place.block);
}

window.addEventListener("unhandledrejection", (event) => {
  $("legend").replaceChildren(make("span", "warn", `This could not be fetched (${event.reason.message}): is the inspector still running?`));
});

start().catch((error) => {
  $("overview").append(make("p", "warn", `The data could not be read: ${error.message}`));
  document.body.dataset.tab = "overview";
});
