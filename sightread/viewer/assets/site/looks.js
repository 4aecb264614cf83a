// The looks of the site as cards, beside the page on which the chosen one is highlighted.

const LOOK_ORDERS = {
  content: ["Content first", (look) => (isContent(look) ? 1e6 : 0) + (look.role === "body" ? 1e3 : 0) + look.text_share],
  text: ["Most text first", (look) => look.text_share],
  pages: ["On most pages first", (look) => look.pages],
  relevance: ["Most relevant first", (look) => look.relevance],
  doubt: ["Evidence differs most first", (look) => contradiction(look)],
  links: ["Most links first", (look) => look.link_share],
};
let lookOrder = "content";

/** What a cluster was chosen for, in words. */
function roleOf({ role, template }) {
  if (!role) return "boilerplate";
  return role === "body" ? `text of template ${template + 1}` : `part of template ${template + 1}`;
}

/** The mean prediction of the global model as a probability; null without predictions. */
function chanceOf({ prediction }) {
  return prediction === null ? null : 1 / (1 + Math.exp(-prediction));
}

/** How far the two sources of evidence differ on a look: the share of text that hangs on it. */
function contradiction(look) {
  const chance = chanceOf(look);
  return chance === null ? 0 : Math.abs(chance - (look.role ? 1 : 0)) * look.text_share;
}

/** What is in a slot of the template, which each page fills once. */
const SLOT_TEXTS = {
  prose: "Each page has it once, in words of its own, like a summary: further evidence for content. ",
  preview: "It begins like other text on its page: a preview, which is left out. ",
  "": "",
};

/** Both sources of evidence in sentences, and what follows from them. */
function evidenceOf(cluster) {
  const titles = `By titles and descriptions it is ${roleOf(cluster)} (relevance ${count.format(Math.round(cluster.relevance))}).`;
  if (cluster.kept === null) return titles;
  const wanted = cluster.prediction > 0;
  const model = `The global model would ${wanted ? "keep" : "drop"} it (probability ${decimals(chanceOf(cluster))} on average).`;
  const agree = wanted === Boolean(cluster.role) ? "Both agree" : "They contradict each other";
  return `${titles} ${model} ${agree}. ${SLOT_TEXTS[cluster.slot]}${percent(cluster.kept)} of its text is labelled content.`;
}

const FAMILY = /^\s*["']?([^"',]+)/;

/** How a look differs from the page's body, in words: size, weight, typeface, colour, width. */
function wordsOfLook({ style, width, tag_path: path }) {
  const tag = path.split("/").at(-1);
  const weight = Number.parseInt(style["font-weight"], 10);
  const words = [
    style["font-size"] ? `${Math.round(Number.parseFloat(style["font-size"]))} px` : null,
    weight > 550 ? "bold" : weight < 350 ? "light" : null,
    style["font-style"] === "italic" ? "italic" : null,
    style["text-transform"] === "uppercase" ? "capitals" : null,
    style["font-family"] ? FAMILY.exec(style["font-family"])?.[1] ?? null : null,
    width ? `${Math.round(width)} px wide` : null,
  ].filter(Boolean);
  return `<${tag}>${words.length ? `, ${words.join(", ")}` : ""}`;
}

/** A bar with what it measures. */
function measure(name, share, text, className = "") {
  return make("span", "measure", [make("span", "", name), meter(share, `thin ${className}`), make("b", "number", text)]);
}

function lookCard(look) {
  const isKept = isContent(look);
  const dot = make("i", "dot");
  dot.style.background = state.colours.get(look.id);
  const chance = chanceOf(look);
  const card = make("button", `look-card ${isKept ? "kept" : "dropped"}`, [
    make("span", "sample-place", swatch(look.style, look.samples[0] ?? "")),
    make("span", "look-head", [dot, make("b", "", `Look ${look.id}`), make("span", "role", roleOf(look)), make("span", `pill ${isKept ? "kept" : "dropped"}`, isKept ? "Kept" : "Dropped")]),
    make("span", "look-words", wordsOfLook(look)),
    make("span", "measures", [
      measure("Share of text", look.text_share, percent(look.text_share)),
      measure("In links", look.link_share, percent(look.link_share)),
      measure("By titles", look.role ? 1 : 0, look.role ? "content" : "no", look.role ? "kept" : ""),
      chance === null ? null : measure("By the model", chance, decimals(chance), chance >= 0.5 ? "kept" : "dropped"),
    ]),
    make("small", "", `${plural(look.blocks, "block")} on ${plural(look.pages, "page")}`),
  ]);
  card.dataset.id = look.id;
  card.ariaPressed = String(look.id === state.cluster);
  card.ariaLabel = `Look ${look.id}, ${roleOf(look)}, ${isKept ? "kept" : "dropped"}, ${percent(look.text_share)} of the text, on ${plural(look.pages, "page")}: highlight it on the page`;
  card.addEventListener("click", () => highlight(state.cluster === look.id ? null : look.id));
  return make("li", "", card);
}

/** All about the chosen look. */
function lookDetails(look) {
  const samples = look.samples.map((sample) => foreign("li", "", sample));
  const style = Object.keys(look.style).length ? declarations(look.style) : make("p", "muted", "looks like the body");
  const onMap = button("On the map", "", () => change({ tab: "map", arrangement: "look" }), "inline");
  const next = button("Next page with it", "", () => openPage(pageWith(look.id), null), "inline");
  return make("li", "look-details", [
    make("p", "", evidenceOf(look)),
    make("div", "columns", [section("Longest texts", make("ol", "samples", samples)), section("Look, where it differs from the body", style)]),
    terms([["Tag path", make("code", "", look.tag_path.replaceAll("/", " › "))], ["Median width", look.width ? `${Math.round(look.width)} px` : null]]),
    make("p", "actions", [next, onMap]),
  ]);
}

/** The next page that has a look, behind the one that is shown. */
function pageWith(id) {
  const { pages } = state.site;
  for (let step = 1; step <= pages.length; step++) {
    const row = (state.page + step) % pages.length;
    if (pages[row].clusters.includes(id)) return row;
  }
  return state.page;
}

function paintLooks() {
  if (state.tab !== "looks") return;
  const panel = $("looks");
  const { clusters } = state.site;
  if (!clusters.length) return panel.replaceChildren(make("p", "muted", "No looks: this page was judged by a model alone."));
  const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const [, key] = LOOK_ORDERS[lookOrder];
  const looks = [...clusters].sort((one, other) => key(other) - key(one) || one.id - other.id);
  const list = make("select", "", Object.entries(LOOK_ORDERS).map(([value, [text]]) => make("option", "", text, { value })), { ariaLabel: "Order of the looks", value: lookOrder });
  list.addEventListener("change", () => {
    lookOrder = list.value;
    paintLooks();
    $("looks").querySelector("select").focus();
  });
  const kept = looks.filter(isContent);
  const share = kept.reduce((sum, look) => sum + look.text_share, 0);
  const top = panel.scrollTop;
  panel.replaceChildren(
    make("header", "look-bar", [make("p", "muted", `${plural(looks.length, "look")}, ${kept.length} kept with ${percent(share)} of the text`), list]),
    make("ol", "look-cards", looks.flatMap((look) => (look.id === state.cluster ? [lookCard(look), lookDetails(look)] : [lookCard(look)]))),
  );
  panel.scrollTop = top;
  if (focused) panel.querySelector(`[data-id="${focused}"]`)?.focus();
  else panel.querySelector(`[data-id="${state.cluster}"]`)?.scrollIntoView({ block: "nearest" });
  if (state.map) fillSamples();
  else loadMap();
}

const cutouts = new Map(); // look → its sample, cut from a picture

/** Replace the samples that are set in their style by cuttings of the pages' pictures, as they come into view. */
function fillSamples() {
  if (!state.map || state.tab !== "looks") return;
  const found = examples(state.map);
  const watcher = new IntersectionObserver((entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(async ({ target }) => {
    watcher.unobserve(target);
    const id = Number(target.dataset.id);
    if (!cutouts.has(id)) cutouts.set(id, await cutOut(...found.get(id)).catch(() => null));
    if (cutouts.get(id)) target.querySelector(".sample-place").replaceChildren(cutouts.get(id));
  }), { root: $("looks"), rootMargin: "200px" });
  for (const card of $("looks").querySelectorAll(".look-card")) if (found.has(Number(card.dataset.id))) watcher.observe(card);
}

function startLooks() {
  paints("cluster tab site", paintLooks);
  paints("map", fillSamples);
}
