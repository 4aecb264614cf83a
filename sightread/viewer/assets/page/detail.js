// The panel on the right: why the block under the pointer, or the selected one, was kept or dropped; without one, the page itself.

const LABELS = { 1: "content", 0: "boilerplate", "-1": "unknown" };
const HIDDEN = {
  display: "display: none",
  visibility: "visibility: hidden",
  opacity: "opacity 0",
  offscreen: "outside the page",
  clip: "clipped away",
  size: "no size",
  font: "too small to read",
  contrast: "the colour of its background",
  covered: "behind something else",
  characters: "invisible characters",
};

/** What was decided of the block, in a sentence. */
function verdict(block) {
  const said = [];
  const isOwn = block.kept === block.probability >= 0.5; // else the global model, a correction or a rule about the whole page decided
  if (block.probability !== null) said.push(`${block.kept ? "Kept" : "Dropped"}${isOwn ? ":" : ", though"} the model gives it ${decimals(block.probability)}, and keeps from 0.50.`);
  if (block.disagrees) said.push(`Its label says otherwise: ${LABELS[block.label]}.`);
  else if (block.label === -1) said.push("It has no label, as no content cluster reaches this page.");
  else if (block.label !== null) said.push(`${block.probability === null ? "Labelled" : "Its label agrees:"} ${LABELS[block.label]}.`);
  if (block.unsure) said.push("The model is unsure.");
  if (block.hidden) said.push(`A reader cannot see it (${HIDDEN[block.hidden]})${{ true: ", but open it", false: ", nor open it" }[block.reachable] ?? ""}.`);
  return said.join(" ") || "No model and no label has judged this block.";
}

function section(title, ...children) {
  return make("section", "", [make("h3", "", title), ...children]);
}

const MEANINGS = [
  [/^style /, "its look"], [/^(?:width|length)/, "its size"], [/^link share/, "how much of it is links"], [/^hidden by/, "it is hidden"],
  [/^text: /, "its text, which other pages have too"], [/^path /, "its place in the page"], [/^\d up: /, "an element around it"],
  [/^in /, "it is inside of this"], [/^<[^ ]+>$/, "its element"], [/^[a-z0-9-]+[.#][^ ]+$/i, "its class or name"],
];

/** What a feature of a site's model is about, in words; those of the global model are words. */
const meaningOf = (feature) => MEANINGS.find(([pattern]) => pattern.test(feature))?.[1] ?? "";

/** Bars from a middle axis: to the right what spoke for keeping the block, to the left what spoke against. */
function reasonBars(reasons) {
  const most = Math.max(...reasons.map(([, weight]) => Math.abs(weight)), 1e-9);
  const rows = reasons.map(([feature, weight]) => {
    const bar = make("i", weight < 0 ? "against" : "for");
    bar.style.width = `${(50 * Math.abs(weight)) / most}%`;
    const figure = `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(2)}`;
    return make("li", "", [make("span", "", [meaningOf(feature), " ", foreign("code", "feature", feature)]), make("span", "weight", figure), make("span", "axis", bar)]);
  });
  return make("ol", "reasons", rows);
}

const STILL = 120; // ms that the pointer rests on a block before its reasons are fetched

/** Resolves when reasons are wanted: at once for a block in hand, after a moment for one under the pointer; false if it is left meanwhile. */
async function isWanted(number) {
  if (state.block === number) return true;
  await new Promise((resolve) => setTimeout(resolve, STILL));
  return state.block === number || (state.block === null && state.hovered === number);
}

function whySection(number) {
  const body = make("div", "muted", "…");
  const box = section("Why", body);
  const page = state.page;
  isWanted(number).then((is) => (is ? source.reasons(page, number) : null)).then(async (reasons) => {
    if (reasons === null) return;
    if (!reasons.length) body.textContent = "This model names no reasons.";
    else body.replaceWith(reasonBars(reasons));
    if (state.block !== number) return; // the rest takes longer, and is for a block in hand
    const why = await source.why(page, number);
    if (why && box.isConnected) box.querySelector("h3").after(...explained(why));
  }, () => {
    body.textContent = "The reasons could not be fetched: is the inspector still running?";
  });
  return box;
}

/** The whole explanation of a block: the cause, what would have changed it, the neighbours that mattered. */
function explained({ why, would_change: changes, kept_copy, neighbours }) {
  const link = (row, ...content) => {
    const button = make("button", "doubt", content);
    button.addEventListener("click", () => change({ block: row }));
    return button;
  };
  const near = neighbours.map(([row, text, weight]) => make("li", "", link(row, make("span", "weight", `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(2)}`), foreign("span", "snippet", text))));
  return [
    make("p", "cause", why),
    kept_copy === null ? null : link(kept_copy, make("span", "weight", "→"), make("span", "snippet", `block ${kept_copy}, which is kept in its place`)),
    make("ul", "changes", changes.map((sentence) => foreign("li", "", sentence))),
    near.length ? make("h3", "", "Neighbours that mattered, in log-odds") : null,
    near.length ? make("ol", "doubts", near) : null,
  ].filter(Boolean);
}

function clusterSection(id) {
  const cluster = clusterOf(id);
  if (!cluster) return section(`Cluster ${id}`, make("p", "muted", "Noise: this block looks like no other of the site."));
  const show = make("button", "inline", "Show on the page");
  show.addEventListener("click", () => highlight(id));
  const table = make("button", "inline", "Among the looks");
  table.addEventListener("click", () => highlight(id, "looks"));
  return section(
    `Cluster ${id}`,
    terms([
      ["Evidence", evidenceOf(cluster)],
      ["Size", `${plural(cluster.blocks, "block")} on ${plural(cluster.pages, "page")}`],
      ["Relevance", count.format(Math.round(cluster.relevance))],
      ["Share of text", make("span", "with-meter", [meter(cluster.text_share, "thin"), percent(cluster.text_share)])],
      ["In links", make("span", "with-meter", [meter(cluster.link_share, "thin"), percent(cluster.link_share)])],
    ]),
    make("p", "actions", [show, table]),
  );
}

function blockPanel(number) {
  const block = state.view.blocks[number];
  const [tags, selectors] = state.view.paths[block.path];
  const style = block.style === null ? null : state.view.styles[block.style];
  return [
    make("header", "verdict", [
      make("h2", "", [
        make("span", `pill ${block.kept ? "kept" : "dropped"}`, block.kept ? "Kept" : "Dropped"),
        block.disagrees ? make("span", "pill differs", "Differs from label") : null,
        make("span", "muted", `block ${number} of ${state.view.blocks.length}`),
      ]),
      block.probability === null ? null : make("div", "probability", [meter(block.probability, block.kept ? "kept" : "dropped", 0.5), make("b", "", decimals(block.probability))]),
      make("p", "", verdict(block)),
    ]),
    foreign("blockquote", "", block.text),
    state.corrections ? correctSection() : null,
    block.probability === null ? null : whySection(number),
    block.cluster === null ? null : clusterSection(block.cluster),
    section("Place", terms([
      ["Box", block.box ? `${block.box.slice(0, 2).map(Math.round).join(", ")} · ${block.box.slice(2).map(Math.round).join(" × ")} px` : "not measured"],
      ["Tag path", make("code", "", tags.replaceAll("/", " › "))],
      ["Selector", make("code", "", selectors.replaceAll("/", " › "))],
    ])),
    style && Object.keys(style).length ? section("Look, where it differs from the body", declarations(style)) : null,
  ].filter(Boolean);
}

function pagePanel() {
  const page = summary();
  const { view } = state;
  const size = view.document ? `${view.document.map(Math.round).join(" × ")} px` : null;
  const doubts = view.blocks.map((block, number) => [block, number]).filter(([block]) => doubtful(block));
  const items = doubts.slice(0, 30).map(([block, number]) => {
    const button = make("button", "doubt", [make("i", `mark ${block.kept ? "kept" : "dropped"} ${block.unsure ? "unsure" : ""} ${block.disagrees ? "differs" : ""}`), foreign("span", "snippet", block.text), make("span", "sure", decimals(block.probability))]);
    button.addEventListener("click", () => change({ block: number }));
    return make("li", "", button);
  });
  return [
    make("header", "verdict", [foreign("h2", "", page.title), make("p", "address", outward(page.url, ""))]),
    terms([
      ["Expected F1", page.expected_f1 === null ? null : make("span", "with-meter", [meter(page.expected_f1, "thin"), decimals(page.expected_f1)])],
      ["Blocks", `${count.format(page.blocks)}, of which ${count.format(page.kept)} kept`],
      ["Language", page.language ? `${page.language}${page.direction === "rtl" ? ", right to left" : ""}` : null],
      ["Document", size],
      ["Cut short", view.truncated ? "yes: blocks after the last one are missing" : null],
    ]),
    items.length ? section("Worth a look here", make("ol", "doubts", items)) : make("p", "muted", state.site.predicted ? "Nothing on this page is in doubt." : ""),
    make("p", "muted hint", ["Point at a block to see why it was kept or dropped; click to hold it. ", make("kbd", "", "?"), " lists the keys."]),
  ];
}

function imagePanel(number) {
  const { alt, source: address, box, kept } = state.view.images[number];
  return [
    make("header", "verdict", [
      make("h2", "", [make("span", `pill ${kept ? "kept" : "dropped"}`, kept ? "Kept" : "Dropped"), make("span", "muted", `image ${number} of ${state.view.images.length}`)]),
      make("p", "", kept ? "The image belongs to text that is kept." : "The image belongs to no text that is kept, or decorates the page."),
    ]),
    alt ? foreign("blockquote", "", alt) : make("p", "muted", "It has no description."),
    section("Place", terms([
      ["Box", box ? `${box.slice(0, 2).map(Math.round).join(", ")} · ${box.slice(2).map(Math.round).join(" × ")} px` : "not measured"],
      ["Address", address ? outward(address, "address") : null],
    ])),
  ];
}

function paintDetail() {
  if (!state.view) return;
  const number = state.block ?? (state.image === null ? state.hovered : null);
  const image = state.image ?? (number === null ? state.hoveredImage : null);
  $("detail").replaceChildren(...(image !== null ? imagePanel(image) : number === null ? pagePanel() : blockPanel(number)));
  $("detail").classList.toggle("held", state.block !== null || state.image !== null);
}

function startDetail() {
  paints("view block hovered hidden image hoveredImage", paintDetail);
  paints("block", () => $("detail").scrollTo(0, 0));
}
