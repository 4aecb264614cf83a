// The site at a glance: how sure, how well, and what to look at first.

const PARTS = [
  ["coverage", "Coverage", "share of the pages with text that got labels"],
  ["agreement", "Agreement", "share of the labelled pages whose own text would have picked the same cluster"],
  ["margin", "Margin", "by how much of its own score the chosen cluster beats the next"],
  ["stability", "Stability", "how far half of the pages would have given the same labels"],
  ["text_share", "Share of text", "median share of a labelled page’s non-link text that is labelled content"],
];
const CONCERNS = { failed: "failed", empty: "empty", unlabelled: "no labels", disagreement: "differs", unsure: "unsure" };

function confidenceCard({ confidence }) {
  const parts = PARTS.map(([name, title, meaning]) => make("li", "", [make("span", "part", title), meter(confidence[name]), make("b", "", decimals(confidence[name])), make("small", "", meaning)]));
  const advice = confidence.advice.map((sentence) => make("li", "", sentence));
  return make("section", "card", [
    make("h2", "", "Confidence of the labels by titles and descriptions"),
    make("p", "big", [decimals(confidence.value), make("small", "", "the least of the parts, each on its own scale, and of how many pages and how much text there are; low values leave the labels to the other source of evidence, what the global model predicts for each look")]),
    make("ul", "parts", parts),
    advice.length ? make("ul", "advice", advice) : make("p", "muted", "No concerns."),
  ]);
}

function foldsCard({ job, fold_means: means }) {
  const row = (name, scores, className = "") => make("tr", className, [make("th", "", name, { scope: "row" }), ...[scores.precision, scores.recall, scores.f1].map((score) => make("td", "", decimals(score, 3)))]);
  const head = make("tr", "", ["Fold", "Precision", "Recall", "F1"].map((name) => make("th", "", name, { scope: "col" })));
  return make("section", "card", [
    make("h2", "", "How well the model repeats the labels"),
    make("p", "big", [decimals(means.f1, 3), make("small", "", "mean F1 of the folds, each on pages that its model was not trained on")]),
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

const FEW = 6; // pages that are named as those with the lowest expected F1
const THUMB = [108, 132]; // CSS px of the outline of a page

/** A button that shows all pages in an order. */
function allPages(sort) {
  const all = button("All pages in this order", "", () => {
    $("sort").value = sort;
    change({ sort, tab: "blocks" });
  }, "inline");
  return make("p", "actions", all);
}

/** The pages whose documents are expected to be worst, with what is kept of each. */
function lowestCard({ pages }) {
  const known = pages.map((page, row) => [page, row]).filter(([page]) => page.expected_f1 !== null);
  if (known.length < 2) return null;
  const lowest = known.sort(([one], [other]) => one.expected_f1 - other.expected_f1).slice(0, FEW);
  const items = lowest.map(([page, row]) => {
    const figure = make("span", "with-meter", [meter(page.expected_f1, "thin"), make("b", "number", decimals(page.expected_f1, 3))]);
    const button = make("button", "thumb", [outlined(row, ...THUMB), foreign("span", "title", page.title), figure]);
    button.addEventListener("click", () => openPage(row, null, "text"));
    return make("li", "", button);
  });
  return make("section", "card wide", [
    make("h2", "", "Pages with the lowest expected F1"),
    make("p", "muted", "Blue is kept, orange is dropped. The figure is the model’s own estimate for the page: it cannot know of labels that are wrong for the whole site."),
    make("ol", "thumbs", items),
    known.length > FEW ? allPages("expected") : null,
  ]);
}

/** Where the site's model and the global model keep something else: in all, and on the pages on which they differ most. */
function differencesCard({ pages }) {
  const compared = pages.map((page, row) => [page, row]).filter(([page]) => page.difference);
  if (!compared.length) return null;
  const different = compared.filter(([page]) => page.difference[0] < 1).sort(([one], [other]) => one.difference[0] - other.difference[0]);
  const total = [0, 1, 2].map((column) => compared.reduce((sum, [page]) => sum + page.difference[column], 0));
  const items = different.slice(0, FEW).map(([page, row]) => {
    const button = make("button", "look", [make("span", "tag", decimals(page.difference[0])), foreign("span", "title", page.title), make("span", "reason", differenceOf(page.difference))]);
    button.addEventListener("click", () => openPage(row, null, "blocks"));
    return make("li", "", button);
  });
  const same = `Both keep the same text on ${count.format(compared.length - different.length)} of ${plural(compared.length, "page")}.`;
  return make("section", "card wide", [
    make("h2", "", "Where the site’s model differs from the global model"),
    make("p", "muted", different.length ? `${same} In all, the site’s model ${differenceOf(total)}. The figure is the F1 between the two.` : same),
    items.length ? make("ol", "looks", items) : null,
    different.length > FEW ? allPages("difference") : null,
  ]);
}

/** The templates of the site: a page of each, and how sure its text is. */
function templatesCard({ templates, pages }) {
  if (!templates.length) return null;
  const others = pages.filter(({ template }) => template === null).length;
  const items = templates.map((template, number) => {
    const example = template.pages.reduce((one, other) => (pages[other].kept > pages[one].kept ? other : one), template.pages[0]);
    const figures = terms([
      ["Confidence", make("span", "with-meter", [meter(template.value, "thin"), decimals(template.value)])],
      ["Agreement", decimals(template.agreement)],
      ["Margin", decimals(template.margin)],
      ["Stability", decimals(template.stability)],
    ]);
    const open = make("button", "thumb", [outlined(example, ...THUMB), foreign("span", "title", pages[example].title)]);
    open.ariaLabel = `Template ${number + 1}: open a page of it`;
    open.addEventListener("click", () => openPage(example, null, "blocks"));
    const look = button(`Look ${template.cluster}`, "", () => highlight(template.cluster, "looks"), "inline");
    look.title = "The look of its paragraphs";
    return make("li", "template", [open, make("div", "", [make("h3", "", `Template ${number + 1}`), make("p", "", plural(template.pages.length, "page")), figures, look])]);
  });
  return make("section", "card wide", [
    make("h2", "", "Templates"),
    make("p", "muted", "Figures of the labels by titles and descriptions, one of two sources of evidence."),
    make("ol", "templates", items),
    others ? make("p", "muted", `${plural(others, "page")} ${others === 1 ? "is" : "are"} of no template: titles and descriptions choose nothing there.`) : null,
  ]);
}

/** Whether the site's model is good, why, and what to do; null if there is nothing to report. */
function trustCard({ job }) {
  if (!job.conclusion && !job.advice.length) return null;
  const [word, why] = job.conclusion ?? ["", ""];
  const items = job.advice.map((sentence) => make("li", "", sentence));
  return make("section", "card wide", [
    make("h2", "", "The site’s model"),
    make("p", "", [make("b", "", word && `${word}. `), why]),
    items.length ? make("ul", "advice", items) : null,
  ]);
}

function partsCard({ parts }) {
  if (!parts.length) return null;
  const hint = make("p", "muted", "Change it with learn --keep PART or --drop PART.");
  return make("section", "card", [make("h2", "", "Comments, bylines and other parts"), make("ul", "advice", parts.map((sentence) => make("li", "", sentence))), hint]);
}

const milliseconds = (seconds) => `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
const roundedDown = (f1) => decimals(Math.floor(1000 * f1) / 1000, 3); // so that one below the least does not look like it

/** The three models on the same site: the visual one, its student, and the global one. */
function modelsTable(means, { blocks, f1, global_f1 }) {
  const row = (name, scores, words) => make("tr", "", [make("th", "", name, { scope: "row" }), ...[scores?.precision, scores?.recall, scores?.f1, words].map((score) => make("td", "", decimals(score ?? null, 3)))]);
  const head = make("tr", "", ["Model", "Precision", "Recall", "F1", "Word F1"].map((name) => make("th", "", name, { scope: "col" })));
  const rows = [row("Site’s model, rendered page", means, null), row("Student, HTML alone", blocks, f1), row("Global model, HTML alone", null, global_f1)];
  return make("div", "wide-table", make("table", "folds", [make("thead", "", head), make("tbody", "", rows)]), { tabIndex: 0, role: "region", ariaLabel: "Models with and without a browser" });
}

/** The templates of the HTML, each by an example: those that need a browser, and the largest others. */
function htmlTemplates({ agreement, needing, least_f1: least, examples }, pages) {
  const templates = agreement.templates.map((template, row) => ({ ...template, needs: template.f1 < least, example: examples[row] }));
  const order = templates.sort((one, other) => other.needs - one.needs || other.pages - one.pages);
  const shown = order.filter(({ needs }, place) => needs || place < FEW);
  const total = (list) => list.reduce((sum, template) => sum + template.pages, 0);
  const items = shown.map(({ pages: number, f1, needs, example }) => {
    const others = number > 1 ? `and ${plural(number - 1, "page")} like it, ` : "";
    const content = [make("span", needs ? "tag empty" : "tag", needs ? "browser" : "HTML"), foreign("span", "title", pages[example]?.title ?? "a page"), make("span", "reason", `${others}word F1 ${roundedDown(f1)}`)];
    const open = make(example === null ? "div" : "button", "look", content);
    if (example !== null) open.addEventListener("click", () => openPage(example, null, "text"));
    return make("li", "", open);
  });
  const [rest, empty] = [total(order.slice(shown.length)), needing - total(order.filter(({ needs }) => needs))];
  const notes = [rest ? `${plural(rest, "page")} of other templates need none.` : "", empty ? `The HTML of ${plural(empty, "page")} has almost no text: such pages need a browser.` : ""].join(" ").trim();
  return [make("ol", "looks", items), notes ? make("p", "muted", notes) : null];
}

/** How well the pages are read without a browser, by whom, and which of them need one; null without a model. */
function withoutBrowserCard({ job: { without_browser: found }, fold_means: means, pages }) {
  if (!found) return null;
  const title = make("h2", "", "Reading without a browser");
  const refusal = found.refusal ? make("p", "", `Without a browser the global model reads the pages: ${found.refusal}.`) : null;
  const { agreement, needing, least_f1: least, rendered_seconds: rendered } = found;
  if (!agreement) return make("section", "card wide", [title, refusal]);
  return make("section", "card wide", [
    title,
    make("p", "big", [percent(needing / agreement.pages), make("small", "", `of the pages need a browser: ${count.format(needing)} of ${count.format(agreement.pages)}${agreement.pages < pages.length ? " whose HTML was kept" : ""}${needing ? `. Without one the word F1 of their template is below ${least}, or they have almost no text` : ""}`)]),
    refusal,
    modelsTable(means, agreement),
    make("p", "muted", "Precision, recall and F1 count the blocks that a model reads; word F1 compares the documents, so text that only scripts bring counts in it alone. All pages count, also those that need a browser. The site’s model is measured against the labels (mean of the folds), the student and the global model against what it keeps; each on pages that they were not trained on."),
    terms([
      ["Brought by scripts", `${percent(agreement.brought)} of the kept text, which is not in the HTML`],
      ["Hidden by scripts", `${percent(agreement.hidden)} of the text of the HTML, which the rendered page does not have`],
      ["Time without a browser", `${milliseconds(agreement.seconds)} of processor time per page, from its HTML to the document`],
      ["Time with a browser", rendered === null ? null : `${milliseconds(rendered)} of wall time per page (median), until it is rendered and its blocks are collected`],
    ]),
    make("h3", "", "Templates of the HTML"),
    ...htmlTemplates(found, pages),
  ]);
}

function paintOverview() {
  if (state.tab !== "overview") return;
  const { site } = state;
  const cards = [trustCard(site), attentionCard(site), lowestCard(site), differencesCard(site), templatesCard(site), withoutBrowserCard(site), site.confidence ? confidenceCard(site) : null, site.fold_means ? foldsCard(site) : null, partsCard(site)];
  const top = $("overview").scrollTop;
  $("overview").replaceChildren(make("div", "cards", cards));
  $("overview").scrollTop = top;
  if (site.pages.length > 1) loadMap();
}

function startOverview() {
  paints("tab site map scheme", paintOverview);
}
