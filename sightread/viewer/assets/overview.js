// The site at a glance: how sure, how well, and what to look at first.

const PARTS = [
  ["coverage", "Coverage", "share of the pages with text that got labels"],
  ["agreement", "Agreement", "share of the labelled pages whose own text would have picked the same cluster"],
  ["margin", "Margin", "by how much of its own score the chosen cluster beats the next"],
  ["stability", "Stability", "how far half of the pages would have given the same labels"],
  ["text_share", "Share of text", "median share of a labelled page’s non-link text that is labelled content"],
];
const CONCERNS = { failed: "failed", empty: "empty", unlabelled: "no labels", disagreement: "differs", global: "unlike global", unsure: "unsure" };

function confidenceCard({ confidence }) {
  const parts = PARTS.map(([name, title, meaning]) => make("li", "", [make("span", "part", title), meter(confidence[name]), make("b", "", decimals(confidence[name])), make("small", "", meaning)]));
  const advice = confidence.advice.map((sentence) => make("li", "", sentence));
  return make("section", "card", [
    make("h2", "", "How sure titles and descriptions are"),
    make("p", "big", [decimals(confidence.value), make("small", "", "the least of what speaks for them; each part at its own scale")]),
    make("ul", "parts", parts),
    advice.length ? make("ul", "advice", advice) : make("p", "muted", "No concerns."),
  ]);
}

function foldsCard({ job, fold_means: means }) {
  const row = (name, scores, className = "") => make("tr", className, [make("th", "", name, { scope: "row" }), ...scores.map((score) => make("td", "", decimals(score, 3)))]);
  const head = make("tr", "", ["Fold", "Precision", "Recall", "F1"].map((name) => make("th", "", name, { scope: "col" })));
  return make("section", "card", [
    make("h2", "", "How well the model repeats the labels"),
    make("p", "big", [decimals(means[2], 3), make("small", "", "mean F1 of the folds, each on pages that its model was not trained on")]),
    make("table", "folds", [make("thead", "", head), make("tbody", "", job.folds.map((scores, fold) => row(`${fold + 1}`, scores))), make("tfoot", "", row("Mean", means))]),
  ]);
}

function attentionCard({ attention }) {
  const items = attention.map(([concern, page, title, reason]) => {
    const content = [make("span", `tag ${concern}`, CONCERNS[concern]), foreign("span", "title", page === null ? addressOf(title) : title), foreign("span", "reason", reason)];
    if (page === null) return make("li", "", make("div", "look", content));
    const button = make("button", "look", content);
    button.addEventListener("click", () => openPage(page, null, "blocks").then(() => seek(1, doubtful)));
    return make("li", "", button);
  });
  const quiet = make("p", "muted", "Nothing stands out.");
  return make("section", "card wide", [make("h2", "", "What to look at first"), items.length ? make("ol", "looks", items) : quiet]);
}

function contentCard({ clusters, labelled }) {
  const chosen = clusters.filter(isContent).sort((one, other) => other.text_share - one.text_share);
  const items = chosen.map((cluster) => {
    const dot = make("i", "dot");
    dot.style.background = state.colours.get(cluster.id);
    const button = make("button", "look", [dot, make("span", "role", `${cluster.id} · ${cluster.role ? roleOf(cluster) : "content by the global model"}`), swatch(cluster.style, cluster.samples[0] ?? ""), make("span", "reason", `${percent(cluster.text_share)} of the text, ${plural(cluster.pages, "page")}`)]);
    button.addEventListener("click", () => highlight(cluster.id, "clusters"));
    return make("li", "", button);
  });
  if (!labelled) return null;
  const none = make("p", "muted", "No cluster was chosen as content.");
  return make("section", "card wide", [make("h2", "", "What was taken for content"), items.length ? make("ol", "looks clusters", items) : none]);
}

function partsCard({ parts }) {
  if (!parts.length) return null;
  const hint = make("p", "muted", "Change it with learn --keep PART or --drop PART.");
  return make("section", "card", [make("h2", "", "Comments, bylines and other parts"), make("ul", "advice", parts.map((sentence) => make("li", "", sentence))), hint]);
}

function startOverview() {
  const { site } = state;
  const cards = [attentionCard(site), site.confidence ? confidenceCard(site) : null, site.fold_means ? foldsCard(site) : null, partsCard(site), contentCard(site)];
  $("overview").append(make("div", "cards", cards));
}
