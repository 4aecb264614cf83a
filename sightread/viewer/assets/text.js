// The extracted text beside the picture: Markdown as it was written, set so that it can be read. Pointing at either lights up the other.

const LINES = [
  [/^\s*$/, "gap"],
  [/^#{1,6} /, "heading"],
  [/^>/, "quote"],
  [/^\s*(?:[-*+]|\d+[.)]) /, "item"],
  [/^\|/, "row"],
  [/^!\[/, "image"],
];
const KEY_LETTERS = 24;
const LINES_AHEAD = 60;

function lineClass(line) {
  return LINES.find(([pattern]) => pattern.test(line))?.[1] ?? "";
}

/** The lines of the text as elements; those inside a code fence stay as they are. */
function textLines(markdown) {
  let fenced = false;
  return markdown.split("\n").map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    const element = foreign("div", `line ${fenced || fence ? "code" : lineClass(line)}`, line);
    if (fence) fenced = !fenced;
    return element;
  });
}

const squeezed = (text) => text.replace(/\]\([^)]*\)/g, "").replace(/[\s*_`#>[\]\\|-]+/g, "");

/**
 * Give each line the blocks that went into it. The text is mostly in document order, so a block is looked for in the lines ahead, then at
 * the beginning of any line: a page of 5,000 blocks takes some milliseconds.
 */
function pairUp(lines) {
  const texts = lines.map((line) => squeezed(line.textContent));
  const begins = new Map(texts.map((text, row) => [text.slice(0, KEY_LETTERS), row]));
  let from = 0;
  for (const [number, block] of state.view.blocks.entries()) {
    const key = squeezed(block.text.slice(0, 4 * KEY_LETTERS)).slice(0, KEY_LETTERS);
    if (!key || !keptNow(number)) continue;
    let at = texts.slice(from, from + LINES_AHEAD).findIndex((text) => text.includes(key));
    at = at < 0 ? begins.get(key) ?? -1 : at + from;
    if (at < 0) continue;
    from = at;
    lines[at].dataset.blocks = `${lines[at].dataset.blocks ?? ""} ${number}`.trim();
  }
}

/** Whether the block is kept at the threshold of the slider; at the default as the document has it. */
function keptNow(number) {
  const block = state.view.blocks[number];
  if (state.threshold === 0.5 || block.probability === null) return block.kept;
  return block.probability >= state.threshold && block.hidden !== "display";
}

/** Precision and recall by characters against the labels of the page; null without labels. */
function scoresNow() {
  const { blocks } = state.view;
  const known = blocks.map((block, number) => [block, keptNow(number)]).filter(([block]) => block.label === 0 || block.label === 1);
  if (!known.length) return null;
  const sum = (test) => known.filter(test).reduce((total, [block]) => total + block.text.length, 0);
  const [both, kept, content] = [sum(([block, now]) => now && block.label === 1), sum(([, now]) => now), sum(([block]) => block.label === 1)];
  return [kept ? both / kept : 1, content ? both / content : 1];
}

function slider() {
  const input = make("input", "", [], { type: "range", min: 0.05, max: 0.95, step: 0.05, value: state.threshold, ariaLabel: "Threshold of the kept blocks" });
  input.addEventListener("input", () => change({ threshold: Number(input.value) }));
  return make("label", "slider", ["Threshold", input, make("output", "number", decimals(state.threshold))]);
}

function paintText() {
  if (state.tab !== "text") return;
  const panel = $("text");
  const focused = panel.contains(document.activeElement) && document.activeElement.type === "range";
  panel.replaceChildren();
  if (!state.view) return;
  const { blocks } = state.view;
  const moved = state.threshold !== 0.5;
  const markdown = moved ? blocks.filter((_, number) => keptNow(number)).map((block) => block.text).join("\n\n") : state.view.markdown;
  if (markdown === null) return panel.append(make("p", "muted", "No text was extracted from this page."));
  const words = markdown.split(/\s+/).filter(Boolean).length;
  const scores = scoresNow();
  const against = scores ? `, against its labels precision ${decimals(scores[0])} and recall ${decimals(scores[1])}` : "";
  const heading = moved ? "Text of the blocks from this threshold" : "Extracted text";
  panel.append(make("header", "", [make("h2", "", heading), state.site.predicted ? slider() : null, make("p", "muted", `${plural(words, "word")}, ${plural(markdown.length, "character")}${against}`)]));
  const lines = textLines(markdown);
  panel.append(markdown.trim() ? make("div", "markdown", lines) : make("p", "muted", "The text is empty: nothing was kept."));
  pairUp(lines);
  panel.scrollTo(0, 0);
  if (focused) panel.querySelector("input[type=range]").focus();
  paintFound();
}

const lineOf = (number) => (number === null ? null : $("text").querySelector(`.line[data-blocks~="${number}"]`));

/** Mark the lines of the selected block and of the one under the pointer. */
function paintFound() {
  if (state.tab !== "text") return;
  for (const line of $("text").querySelectorAll(".found, .pointed")) line.classList.remove("found", "pointed");
  lineOf(state.hovered)?.classList.add("pointed");
  const line = lineOf(state.block);
  line?.classList.add("found");
  line?.scrollIntoView({ block: "nearest" });
}

function startText() {
  const firstBlock = (event) => event.target.closest?.(".line")?.dataset.blocks?.split(" ")[0] ?? null;
  $("text").addEventListener("pointerover", (event) => change({ hovered: firstBlock(event) === null ? null : Number(firstBlock(event)) }));
  $("text").addEventListener("pointerleave", () => change({ hovered: null }));
  $("text").addEventListener("click", (event) => firstBlock(event) !== null && change({ block: Number(firstBlock(event)) }));
  paints("view threshold tab", paintText);
  paints("block hovered", paintFound);
}
