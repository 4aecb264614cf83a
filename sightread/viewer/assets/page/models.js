// Models side by side: what each keeps of the page, where two of them differ, and a diff of their documents.

async function loadModels() {
  if (state.tab !== "models" || !state.site?.offers.includes("models") || state.models?.page === state.page) return;
  const page = state.page;
  const kept = await source.models(page);
  if (page !== state.page) return;
  const names = Object.keys(kept ?? {});
  const reference = names.includes(state.reference) ? state.reference : names[0] ?? null;
  const model = names.includes(state.model) && state.model !== reference ? state.model : names.find((name) => name !== reference) ?? null;
  change({ models: { page, kept: Object.fromEntries(names.map((name) => [name, new Set(kept[name])])) }, reference, model });
}

/** The two sides that are compared: rows of the blocks that each keeps; null without models. */
function sides() {
  const { models, model, reference } = state;
  if (state.tab !== "models" || !models || models.page !== state.page || !models.kept[model] || !models.kept[reference]) return null;
  return [models.kept[reference], models.kept[model]];
}

/** Whether the chosen model and the reference differ on a block. */
function modelsDiffer(_block, number) {
  const pair = sides();
  return Boolean(pair) && pair[0].has(number) !== pair[1].has(number);
}

/** F1 by characters of the text that one side keeps against the other. */
function likeness(one, other) {
  const length = (number) => state.view.blocks[number].text.length;
  const sum = (rows) => [...rows].reduce((total, number) => total + length(number), 0);
  const both = sum([...one].filter((number) => other.has(number)));
  return one.size + other.size ? (2 * both) / Math.max(1, sum(one) + sum(other)) : 1;
}

function modelRow(name) {
  const { kept } = state.models;
  const f1 = likeness(kept[state.reference], kept[name]);
  const row = make("button", "model", [make("span", "title", name), meter(f1, "thin"), make("span", "number", decimals(f1)), make("small", "", plural(kept[name].size, "block"))]);
  row.ariaPressed = String(name === state.model);
  row.addEventListener("click", () => change({ model: name }));
  return make("li", "", row);
}

function differenceItem(number) {
  const [reference] = sides();
  const only = reference.has(number);
  const item = make("button", `difference ${only ? "lost" : "gained"}`, [make("span", "weight", only ? "−" : "+"), foreign("span", "", state.view.blocks[number].text)]);
  item.ariaCurrent = String(number === state.block);
  item.addEventListener("click", () => change({ block: number }));
  return make("li", "", item);
}

/** A list of the models for one side, `reference` or `model`; the two sides are never the same. */
function sideList(side, ariaLabel) {
  const names = Object.keys(state.models.kept);
  const other = side === "model" ? "reference" : "model";
  const list = make("select", "", names.map((name) => make("option", "", name, { value: name })), { ariaLabel, value: state[side] });
  list.addEventListener("change", () => change({ [side]: list.value, [other]: state[other] === list.value ? names.find((name) => name !== list.value) : state[other] }));
  return list;
}

/** The reference, and what is shown of the comparison. */
function comparisonControls() {
  const kinds = [["", "Blocks", ""], ["words", "Words", "w"], ["sides", "Side by side", ""]].map(([diff, label, key]) => {
    const kind = button(label, key, () => change({ diff }));
    kind.ariaPressed = String(diff === state.diff);
    return kind;
  });
  const reference = state.diff === "sides" ? null : make("label", "", ["Compare with", sideList("reference", "Compare with")]);
  return make("div", "comparison", [reference, state.site.offers.includes("documents") ? make("span", "toggles", kinds) : null]);
}

const HTML_ALONE = "HTML alone"; // the name of `auto` without a browser

/** Put the documents of the page with a browser and from its HTML alone side by side. */
function compareWays() {
  const isLeftOut = state.models?.page === state.page && !state.models.kept[HTML_ALONE];
  change({ tab: "models", reference: "auto", diff: "sides", ...(isLeftOut ? {} : { model: HTML_ALONE }) });
}

function blockDifferences() {
  const different = state.view.blocks.map((_, number) => number).filter((number) => modelsDiffer(null, number));
  return section(`${state.model} against ${state.reference}: ${plural(different.length, "block")} kept by one alone`,
    make("ol", "differences", different.map(differenceItem)),
    make("p", "muted", [make("kbd", "", "m"), make("kbd", "", "M"), `next and previous. + only ${state.model} keeps it, − only ${state.reference} does.${[state.model, state.reference].includes(HTML_ALONE) ? " Text that the HTML has and the rendered page lacks is among the words alone." : ""}`]));
}

const ALIKE = 3; // lines around a difference that are shown; more that are alike are folded

/** A line of a diff in which only the text of one side stands, or of both. */
function diffLine(line, side = 0) {
  const pieces = line.filter(([kind]) => !side || kind !== -side);
  return foreign("div", "line", pieces.map(([kind, text]) => (kind === 0 ? text : make(kind < 0 ? "del" : "ins", "", text))));
}

/** The lines of a diff; long runs of lines that are alike are folded into one that opens. */
function diffLines(lines) {
  const isAlike = lines.map((line) => line.every(([kind]) => kind === 0));
  const isFolded = state.diff === "words" || !isAlike.every(Boolean);
  const rows = [];
  let run = [];
  const flush = (isLast) => {
    const [head, tail] = [rows.length ? ALIKE : 0, isLast ? 0 : ALIKE];
    const folded = run.slice(head, run.length - tail);
    if (!isFolded || folded.filter(({ textContent }) => textContent).length < 2) rows.push(...run);
    else {
      const group = make("details", "alike", [make("summary", "", `${count.format(folded.length)} lines are alike`), ...folded]);
      rows.push(...run.slice(0, head), group, ...run.slice(run.length - tail));
    }
    run = [];
  };
  lines.forEach((line, number) => {
    const row = state.diff === "words" ? diffLine(line) : make("div", isAlike[number] ? "pair same" : "pair", [diffLine(line, -1), diffLine(line, 1)]);
    if (isAlike[number]) return run.push(row);
    flush(false);
    rows.push(row);
  });
  flush(true);
  return rows;
}

let shownDiff = null; // the diff and what it is of

async function loadDiff() {
  const { page, reference, model, tab, diff, models } = state;
  if (tab !== "models" || !diff || models?.page !== page || !reference || !model) return;
  const key = `${page} ${reference} ${model}`;
  if (shownDiff?.key === key && shownDiff.of === models) return;
  shownDiff = { key, of: models, lines: null };
  const [one, other] = await Promise.all([source.document(page, reference), source.document(page, model)]);
  if (shownDiff.key !== key) return;
  shownDiff.lines = diffTexts(one?.markdown ?? "", other?.markdown ?? "");
  shownDiff.by = [[reference, one], [model, other]].filter(([name]) => name === "auto" || name === HTML_ALONE);
  paintModels();
}

function wordDifferences() {
  const { model, reference } = state;
  const title = `${model} against ${reference}, word by word`;
  if (!shownDiff?.lines) return section(title, make("p", "muted", "Both documents are written…"));
  const [both, removed, added] = tally(shownDiff.lines);
  const f1 = both + removed + added ? (2 * both) / (2 * both + removed + added) : 1;
  const readBy = shownDiff.by.map(([name, { model, note }]) => make("p", "muted", `${name === "auto" ? "With a browser" : "From HTML alone"}: ${note || `read by the model ${model}`}.`));
  return section(title,
    ...readBy,
    make("p", "tally", [`${plural(both, "word")} in both, `, make("del", "", `${plural(removed, "word")} only in ${reference}`), ", ", make("ins", "", `${plural(added, "word")} only in ${model}`), `; F1 ${decimals(f1)}`]),
    state.diff === "sides" ? make("div", "pair heads", [sideList("reference", "Left side"), sideList("model", "Right side")]) : null,
    removed + added || state.diff === "sides" ? make("div", "markdown diff", diffLines(shownDiff.lines)) : make("p", "muted", "Both documents are the same."));
}

function paintModels() {
  const panel = $("models");
  if (state.tab !== "models" || !state.view) return;
  if (!state.models || state.models.page !== state.page) return panel.replaceChildren(make("p", "muted", "Every model reads the page…"));
  const { kept } = state.models;
  const names = Object.keys(kept);
  if (!sides()) return panel.replaceChildren(make("p", "muted", "Only one model can read this page."));
  document.body.dataset.diff = state.diff;
  const focused = panel.contains(document.activeElement) ? document.activeElement.textContent : null;
  const isLeftOut = state.site.offers.includes("html") && !names.includes(HTML_ALONE);
  panel.replaceChildren(...[
    state.diff === "sides" ? null : section(`Agreement with ${state.reference}, F1 by characters`, make("ol", "models", names.filter((name) => name !== state.reference).map(modelRow))),
    comparisonControls(),
    isLeftOut ? make("p", "muted", "The HTML of this page as it came from the server was not kept, or is too large, so it cannot be read without a browser here: learn the site again.") : null,
    state.diff ? wordDifferences() : blockDifferences(),
  ].filter(Boolean));
  if (focused) [...panel.querySelectorAll("button, select")].find(({ textContent }) => textContent === focused)?.focus();
}

/** Colour a block by the two sides. */
function dressSides(element, number) {
  const pair = sides();
  element.classList.toggle("only-other", Boolean(pair) && !pair[0].has(number) && pair[1].has(number));
  element.classList.toggle("only-reference", Boolean(pair) && pair[0].has(number) && !pair[1].has(number));
}

function startModels() {
  paints("tab page view", loadModels);
  paints("tab models model reference diff", loadDiff);
  paints("tab models model reference view block diff", paintModels);
  dresses("tab models model reference view", dressSides);
}
