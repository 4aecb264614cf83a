// Models side by side: what each keeps of the page, and where one differs from what `auto` gives.

async function loadModels() {
  if (state.tab !== "models" || !state.site?.offers.includes("models") || state.models?.page === state.page) return;
  const page = state.page;
  const kept = await source.models(page);
  if (page !== state.page) return;
  const names = Object.keys(kept ?? {});
  const model = names.includes(state.model) ? state.model : names.find((name) => name !== names[0]) ?? null;
  change({ models: { page, reference: names[0], kept: Object.fromEntries(names.map((name) => [name, new Set(kept[name])])) }, model });
}

/** The two sides that are compared: rows of the blocks that each keeps; null without models. */
function sides() {
  const { models, model } = state;
  if (state.tab !== "models" || !models || models.page !== state.page || !models.kept[model]) return null;
  return [models.kept[models.reference], models.kept[model]];
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
  const { kept, reference } = state.models;
  const f1 = likeness(kept[reference], kept[name]);
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

function paintModels() {
  const panel = $("models");
  if (state.tab !== "models" || !state.view) return;
  if (!state.models || state.models.page !== state.page) return panel.replaceChildren(make("p", "muted", "Every model reads the page…"));
  const { kept, reference } = state.models;
  const different = state.view.blocks.map((_, number) => number).filter((number) => modelsDiffer(null, number));
  panel.replaceChildren(
    section(`Agreement with ${reference}, F1 by characters`, make("ol", "models", Object.keys(kept).filter((name) => name !== reference).map(modelRow))),
    section(`${state.model} against ${reference}: ${plural(different.length, "block")} differ`, make("ol", "differences", different.map(differenceItem)),
      make("p", "muted", [make("kbd", "", "m"), make("kbd", "", "M"), `next and previous. + only ${state.model} keeps it, − only ${reference} does.`])),
  );
}

/** Colour the page by the two sides. */
function paintSides() {
  const pair = sides();
  for (const element of document.querySelectorAll("#sheet .block")) {
    const number = Number(element.dataset.number);
    element.classList.toggle("only-other", Boolean(pair) && !pair[0].has(number) && pair[1].has(number));
    element.classList.toggle("only-reference", Boolean(pair) && pair[0].has(number) && !pair[1].has(number));
  }
}

function startModels() {
  paints("tab page view", loadModels);
  paints("tab models model view block", paintModels);
  paints("tab models model view", paintSides);
}
