// The extracted text beside the picture: Markdown as it was written, set so that it can be read.

const LINES = [
  [/^\s*$/, "gap"],
  [/^#{1,6} /, "heading"],
  [/^>/, "quote"],
  [/^\s*(?:[-*+]|\d+[.)]) /, "item"],
  [/^\|/, "row"],
  [/^!\[/, "image"],
];

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

const squeezed = (text) => text.replace(/[\s*_`#>[\]\\|-]+/g, "");

function paintText() {
  const panel = $("text");
  panel.replaceChildren();
  if (!state.view) return;
  const { markdown } = state.view;
  if (markdown === null) return panel.append(make("p", "muted", "No text was extracted from this page."));
  const words = markdown.split(/\s+/).filter(Boolean).length;
  panel.append(make("header", "", [make("h2", "", "Extracted text"), make("span", "muted", `${plural(words, "word")}, ${plural(markdown.length, "character")}`)]));
  panel.append(markdown.trim() ? make("div", "markdown", textLines(markdown)) : make("p", "muted", "The text is empty: nothing was kept."));
  panel.scrollTo(0, 0);
  paintFound();
}

/** Mark the line that the selected block went to. */
function paintFound() {
  for (const line of $("text").querySelectorAll(".found")) line.classList.remove("found");
  if (state.block === null || !state.view) return;
  const wanted = squeezed(state.view.blocks[state.block].text).slice(0, 24);
  const line = wanted && [...$("text").querySelectorAll(".line")].find((element) => squeezed(element.textContent).includes(wanted));
  if (!line) return;
  line.classList.add("found");
  line.scrollIntoView({ block: "nearest" });
}

function startText() {
  paints("view", paintText);
  paints("block", paintFound);
}
