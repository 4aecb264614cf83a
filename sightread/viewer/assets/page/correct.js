// Corrections: mark a block, look at what would change on all pages, save or discard; questions; undo. Only the inspector of a learned site has them.

const TARGETS = { block: "This text", look: "All that look like it", place: "Its container" };
const PLACES = { page: "on this page", template: "on pages of its template", site: "on the whole site", pattern: "at addresses like" };
let marked = null;

function notify(message) {
  $("notice")?.remove();
  if (message) $("correct").prepend(make("p", "warn", message, { id: "notice", role: "alert" }));
}

/** Do something with the corrections on the server, and show the site as it is afterwards. */
async function act(action, content) {
  try {
    const corrections = await sent(action, content);
    const { page } = state;
    marked = null;
    change({ corrections, preview: null });
    const [site, view] = await Promise.all([source.site(), source.page(page)]);
    held.clear();
    change({ site, colours: clusterColours(site.clusters), map: null, models: null, comparison: null });
    if (page === state.page) change({ view });
    notify("");
  } catch (error) {
    change({ tab: "correct" });
    notify(error.message);
  }
}

const saveCorrection = () => act("save");

async function discardCorrection() {
  marked = null;
  change({ preview: null });
  await sent("discard");
}

/** One key: the block in hand, or else the question. */
function decide(isContent) {
  if (!state.corrections) return;
  if (state.preview || state.block !== null) propose(isContent);
  else answerQuestion(isContent);
}

async function answerQuestion(isContent) {
  const { question } = state.corrections;
  if (!question) return;
  await act("answer", { question: question.id, is_content: isContent });
  if (state.tab === "correct") showQuestion();
}

/** Retrain with a correction of the block in hand, and show what would change. */
async function propose(isContent) {
  marked = { page: state.page, block: state.block ?? marked?.block, is_content: isContent };
  const pattern = $("pattern")?.value ?? addressOf(summary().url).replace(/[^/]*$/, "*");
  change({ tab: "correct", preview: { waiting: true } });
  try {
    const started = performance.now();
    const proposal = { ...marked, target: state.target, scope: state.scope, pattern };
    const preview = await sent("preview", proposal);
    change({ preview: { ...preview, is_content: isContent, seconds: (performance.now() - started) / 1000 } });
    paintWillChange();
  } catch (error) {
    change({ preview: null });
    notify(error.message);
  }
}

function button(label, key, run, className = "") {
  const element = make("button", className, [key ? make("kbd", "", key) : null, label]);
  element.addEventListener("click", run);
  return element;
}

function chosen(name, options, label) {
  const list = make("select", "", Object.entries(options).map(([value, text]) => make("option", "", text, { value })), { ariaLabel: label });
  list.value = state[name];
  list.addEventListener("change", () => {
    change({ [name]: list.value });
    if (state.preview && marked) propose(state.preview.is_content);
  });
  return list;
}

/** The controls to mark the block in hand. */
function correctSection() {
  const pattern = make("input", "", [], { id: "pattern", value: addressOf(summary().url).replace(/[^/]*$/, "*"), ariaLabel: "Pattern of addresses" });
  pattern.addEventListener("change", () => state.preview && marked && propose(state.preview.is_content));
  return section("Correct it",
    make("div", "scopes", [chosen("target", TARGETS, "What is corrected"), chosen("scope", PLACES, "Where it is corrected"), state.scope === "pattern" ? pattern : null]),
    make("p", "actions", [button("Content", "y", () => propose(true), "yes"), button("Boilerplate", "x", () => propose(false), "no")]),
  );
}

/** Open the page of the question and light up its look there. */
async function showQuestion() {
  const { question } = state.corrections;
  if (!question) return;
  if (state.page !== question.page || !state.view) {
    change({ view: null, block: null, hovered: null, page: question.page });
    const view = await source.page(question.page);
    if (state.page !== question.page) return;
    change({ view });
  }
  asked = [question.page, question.block];
  mounted.forEach(dressAsked);
  const element = elementOf(question.block);
  if (element) $("scroller").scrollBy({ top: element.getBoundingClientRect().top - $("scroller").getBoundingClientRect().top - 160 });
}

let asked = []; // page and block of the question that is shown

function dressAsked(element, number) {
  element.classList.toggle("asked", state.page === asked[0] && number === asked[1] && state.tab === "correct");
}

function questionCard({ question, answers, changed, pages }) {
  const progress = answers ? `${plural(answers, "answer")} changed ${changed} of ${plural(pages, "page")}.` : "Answer the first one: each answer trains the model again.";
  if (!question) return make("section", "card question", [make("h2", "", "No question is left"), make("p", "muted", progress)]);
  const enough = question.is_enough ? make("p", "enough", "That is enough: the best question left would change hardly anything.") : null;
  return make("section", "card question", [
    make("h2", "", "Is this content?"),
    foreign("blockquote", "", question.text),
    make("p", "muted", question.reason),
    make("p", "actions", [button("Yes", "y", () => answerQuestion(true), "yes"), button("No", "x", () => answerQuestion(false), "no"), button("Skip", "s", () => answerQuestion(null)), button("Show it", "", () => showQuestion())]),
    question.repeat_reason ? make("p", "warn", question.repeat_reason, { role: "alert" }) : null,
    make("p", "progress", progress),
    enough,
  ]);
}

function changeItem(row) {
  const texts = [...row.gained_texts.map((text) => foreign("li", "gained", text)), ...row.lost_texts.map((text) => foreign("li", "lost", text))];
  const head = make("button", "look", [
    foreign("span", "title", row.title),
    make("span", "figures-of-change", [row.gained ? make("b", "gained", `+${count.format(row.gained)}`) : null, row.lost ? make("b", "lost", `−${count.format(row.lost)}`) : null, " words"]),
    row.against_evidence ? make("span", "tag empty", `${count.format(row.against_evidence)} against the evidence`) : null,
  ]);
  head.addEventListener("click", () => openPage(row.page, null, "correct").then(paintWillChange));
  return make("li", "", [head, make("ul", "texts", texts)]);
}

function previewCard(preview) {
  if (preview.waiting) return make("section", "card preview", [make("h2", "", "Training…"), make("p", "muted", "The site is labelled, trained and read again with this correction.")]);
  const figures = terms([
    ["Decides", plural(preview.decided, "block")],
    ["Changes", `${preview.pages.length} of ${plural(preview.all_pages, "page")}`],
    ["Expected F1", `${decimals(preview.expected_before)} → ${decimals(preview.expected_after)}`],
    ["Trusted", preview.trusted_before === preview.trusted_after ? null : preview.trusted_after ? "now it is" : "no longer"],
    ["Trained in", `${preview.seconds.toFixed(1)} s`],
  ]);
  return make("section", "card preview", [
    make("h2", "", `Preview: as ${preview.is_content ? "content" : "boilerplate"}`),
    make("div", "scopes", [chosen("target", TARGETS, "What is corrected"), chosen("scope", PLACES, "Where it is corrected")]),
    figures,
    make("p", "actions", [button("Save", "Enter", saveCorrection, "yes"), button("Discard", "Esc", discardCorrection)]),
    preview.may_get_worse ? make("p", "warn", `${plural(preview.may_get_worse, "page")} may get worse: there the change contradicts the evidence. They come first.`) : null,
    preview.pages.length ? null : make("p", "muted", "No document changes; the correction holds for new pages."),
    make("ol", "page-changes", preview.pages.slice(0, 60).map(changeItem)),
  ]);
}

function correctionItem(made) {
  const content = [
    make("span", `pill ${made.is_content ? "kept" : "dropped"}`, made.is_content ? "content" : "boilerplate"),
    foreign("span", "title", made.description),
    make("small", made.state === "needs you" ? "warn" : "", `${made.state}: ${made.found}`),
    make("small", "", [made.by, made.at.slice(0, 16).replace("T", " "), made.model].filter(Boolean).join(" · ")),
  ];
  if (made.page === null) return make("li", "", make("div", "made", content));
  const open = make("button", "made", content);
  open.addEventListener("click", () => openPage(made.page, made.block, "correct"));
  return make("li", "", open);
}

function paintCorrect() {
  if (!state.corrections) return;
  const { corrections, preview } = state;
  const list = corrections.corrections.map(correctionItem);
  $("correct").replaceChildren(
    preview ? previewCard(preview) : state.block !== null ? correctSection() : questionCard(corrections),
    make("section", "card", [
      make("h2", "", "Corrections"),
      make("p", "", corrections.matching || "None yet. Select a block, or answer the question."),
      terms([["Expected F1", corrections.answers ? `${decimals(corrections.expected_before)} → ${decimals(corrections.expected_f1)}` : decimals(corrections.expected_f1)], ["Not trusted", corrections.distrust_reason || null]]),
      make("p", "actions", [
        Object.assign(button("Undo", "z", () => act("undo")), { disabled: !corrections.can_undo }),
        Object.assign(button("Redo", "Z", () => act("redo")), { disabled: !corrections.can_redo }),
        Object.assign(button("Learn again", "", () => act("learn")), { disabled: !corrections.is_stale, title: "Write labels, model and articles with these corrections" }),
      ]),
      make("ol", "corrections", list),
    ]),
  );
}

/** Outline a block that the previewed correction would change. */
function dressWillChange(element, number) {
  const will = state.preview?.pages?.find(({ page }) => page === state.page)?.blocks[number];
  element.classList.toggle("will-keep", will === true);
  element.classList.toggle("will-drop", will === false);
}

const paintWillChange = () => mounted.forEach(dressWillChange);

async function startCorrect() {
  paints("corrections preview target scope block", paintCorrect);
  dresses("preview view", dressWillChange);
  dresses("tab", dressAsked);
  paints("scope", paintDetail);
  paints("tab", () => state.tab === "correct" && state.corrections && !state.preview && state.block === null && state.view && showQuestion());
  change({ corrections: await source.corrections() });
  paintDetail(); // the block in hand may have been painted without its controls meanwhile
  if (state.tab === "correct" && state.corrections && state.block === null) await showQuestion();
}
