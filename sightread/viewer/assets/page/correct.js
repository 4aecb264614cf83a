// Corrections: mark a block, look at what would change on all pages, save or discard; questions; undo. Only the inspector of a learned site has them.

const TARGETS = { block: "This text", look: "All that look like it", place: "Its container" };
const PLACES = { page: "on this page", template: "on pages of its template", site: "on the whole site", pattern: "at addresses like" };
let marked = null;

function notify(message) {
  $("notice")?.remove();
  if (message) $("correct").prepend(make("p", "warn", message, { id: "notice", role: "alert" }));
}

const DOING = {
  save: ["Saving the correction", ({ corrections: [made] }) => `Saved as ${made?.is_content ? "content" : "boilerplate"}: ${made?.found ?? "it was there already"}.`],
  answer: ["Saving the answer", () => "The answer is saved."],
  skip: ["Skipping the question", () => "Skipped."],
  undo: ["Undoing the last correction", () => "Undone."],
  redo: ["Making the correction again", () => "Made again."],
  train: ["Training the site with your corrections: figures and pages follow", (found) => `Trained: expected F1 ${decimals(found.expected_f1)}, ${found.changed} of ${plural(found.pages, "page")} changed since you began.`],
  learn: ["Writing labels, model and articles", () => "Learned again: labels, model and articles are in use."],
  teach: ["Teaching how to read without a browser, and writing the report", () => "Learned again, with the report, and reading without a browser."],
};

/** Do something with the corrections on the server, and show the site as it is afterwards; true if that succeeds. */
async function act(action, content, [doing, done] = DOING[action]) {
  try {
    const corrections = await working(doing, sent(action, content), done);
    if (!["train", "teach"].includes(action)) {
      marked = null;
      change({ preview: null });
    }
    change({ corrections });
    notify("");
    await showSite(await source.site());
    if (corrections.is_training) train();
    return true;
  } catch (error) {
    change({ tab: "correct" });
    notify(error.message);
    if (action === "train") change({ corrections: await source.corrections() });
    return false;
  }
}

/** Show the site as it is now, and the page that is open. */
async function showSite(site) {
  const { page } = state;
  const view = await source.page(page);
  held.clear();
  change({ site, colours: clusterColours(site.clusters), map: null, models: null, comparison: null });
  if (page === state.page) change({ view });
}

/** Train until no change is left: one that is made meanwhile is trained with afterwards. */
async function train() {
  if (train.running) return;
  train.running = true;
  const succeeds = await act("train");
  train.running = false;
  if (succeeds && state.corrections.is_training) train();
}

const saveCorrection = () => act("save");

async function learnAgain() {
  if (await act("learn")) await act("teach");
}

async function discardCorrection() {
  marked = null;
  change({ preview: null });
  await sent("discard");
}

/** One key: the block in hand, or else the question. */
function decide(isContent) {
  if (!state.corrections) return state.site.waiting_for && announce(state.site.waiting_for);
  if (state.preview || state.block !== null) propose(isContent);
  else answerQuestion(isContent);
}

async function answerQuestion(isContent) {
  const { question } = state.corrections;
  if (!question) return;
  await act("answer", { question: question.id, is_content: isContent }, DOING[isContent === null ? "skip" : "answer"]);
  if (state.tab === "correct") showQuestion();
}

/** Fetch the question about the page that is shown. */
async function loadCorrections() {
  const { page } = state;
  const corrections = await source.corrections();
  if (page === state.page) change({ corrections });
}

/** Show what a correction of the block in hand would change: at once the blocks that it decides, then all, when the site is trained with it. */
async function propose(isContent) {
  marked = { page: state.page, block: state.block ?? marked?.block, is_content: isContent };
  const pattern = $("pattern")?.value ?? addressOf(summary().url).replace(/[^/]*$/, "*");
  change({ tab: "correct" });
  try {
    const proposal = { ...marked, target: state.target, scope: state.scope, pattern };
    const own = marked;
    for (const trains of [false, true]) {
      const waiting = sent("preview", { ...proposal, trains });
      const preview = await (trains ? working("Training the site with the proposed correction", waiting, ({ pages }) => (marked === own ? `Trained: ${plural(pages.length, "page")} would change.` : "")) : waiting);
      if (marked !== own) return; // saved, discarded or marked otherwise meanwhile
      change({ preview: { ...preview, is_content: isContent } });
      paintWillChange();
      if (preview.is_trained) return;
    }
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

/** Light up the block of the question, which is on the page that is shown. */
function showQuestion() {
  const question = state.corrections?.question;
  if (!question || !state.view || state.page !== question.page) return;
  asked = [question.page, question.block];
  mounted.forEach(dressAsked);
  const element = elementOf(question.block);
  if (element) $("scroller").scrollBy({ top: element.getBoundingClientRect().top - $("scroller").getBoundingClientRect().top - 160 });
}

let asked = []; // page and block of the question that is shown

function dressAsked(element, number) {
  element.classList.toggle("asked", state.page === asked[0] && number === asked[1] && state.tab === "correct");
}

function questionCard({ question, better_page: better, answers, changed, pages, is_training: training }) {
  const made = answers ? `${plural(answers, "answer")} changed ${changed} of ${plural(pages, "page")}.` : "Answer the first one: each answer trains the model again.";
  const progress = training ? "Your last answer is saved; the figures follow when the site is trained with it." : made;
  const other = better === null ? null : make("p", "actions", button(`More depends on a question about “${shortened(state.site.pages[better].title)}”`, "", () => openPage(better, null, "correct")));
  if (!question) return make("section", "card question", [make("h2", "", better === null ? "No question is left" : "No question is left about this page"), other, make("p", "muted", progress)]);
  const enough = question.is_enough ? make("p", "enough", "That is enough: the best question left would change hardly anything.") : null;
  return make("section", "card question", [
    make("h2", "", "Is this content?"),
    foreign("blockquote", "", question.text),
    make("p", "muted", question.reason),
    make("p", "actions", [button("Yes", "y", () => answerQuestion(true), "yes"), button("No", "x", () => answerQuestion(false), "no"), button("Skip", "s", () => answerQuestion(null)), button("Show it", "", () => showQuestion())]),
    question.repeat_reason ? make("p", "warn", question.repeat_reason, { role: "alert" }) : null,
    make("p", "progress", progress),
    enough,
    enough ? null : other,
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
  const figures = terms([
    ["Decides", plural(preview.decided, "block")],
    ["Changes", `${preview.pages.length} of ${plural(preview.all_pages, "page")}`],
    ["Expected F1", `${decimals(preview.expected_before)} → ${decimals(preview.expected_after)}`],
    ["Trusted", preview.trusted_before === preview.trusted_after ? null : preview.trusted_after ? "now it is" : "no longer"],
  ]);
  return make("section", "card preview", [
    make("h2", "", `Preview: as ${preview.is_content ? "content" : "boilerplate"}`),
    make("div", "scopes", [chosen("target", TARGETS, "What is corrected"), chosen("scope", PLACES, "Where it is corrected")]),
    figures,
    preview.is_trained ? null : make("p", "muted", "So far the blocks that it decides alone: other blocks that change with them, and the figures, follow when the site is trained."),
    make("p", "actions", [button("Save", "Enter", saveCorrection, "yes"), button("Discard", "Esc", discardCorrection)]),
    preview.may_get_worse ? make("p", "warn", `${plural(preview.may_get_worse, "page")} may get worse: there the change contradicts the evidence. They come first.`) : null,
    preview.pages.length || !preview.is_trained ? null : make("p", "muted", "No document changes; the correction holds for new pages."),
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
  if (!state.corrections) return $("correct").replaceChildren(make("section", "card question", [make("h2", "", "Questions"), make("p", "muted", state.site.waiting_for || "The question is being looked for.")]));
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
        Object.assign(button("Learn again", "", learnAgain), { disabled: !corrections.is_stale, title: "Write labels, model and articles with these corrections" }),
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

function startCorrect() {
  paints("corrections preview target scope block site", paintCorrect);
  paintCorrect();
  dresses("preview view", dressWillChange);
  dresses("tab", dressAsked);
  paints("scope", paintDetail);
  paints("tab view corrections", () => {
    if (state.tab !== "correct" || !state.corrections || state.preview || state.block !== null || !state.view) return;
    if (state.corrections.page === state.page) showQuestion();
    else loadCorrections();
  });
  paints("corrections", paintDetail); // the block in hand may have been painted without its controls meanwhile
}
