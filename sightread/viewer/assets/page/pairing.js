// Which characters of the extracted text come from which block or image of the page.

const MARKUP = /!?\]\((?:<[^>\n]*>|[^()\s]|\([^()\s]*\))*(?:\s"[^"\n]*")?\)|<\/?(?:br|sub|sup|u|ins|del|kbd)\s?\/?>|[\s*_`#>[\]\\|~$!-]+/g;
const IMAGE = /!\[((?:[^\]\\]|\\.)*)\]\(((?:<[^>\n]*>|[^()\s]|\([^()\s]*\))*)[^)\n]*\)/g;
const AHEAD = 4000; // characters in which the text of a block follows that of the one before; else it is looked for everywhere
const NEAR_BY = 300; // the same for a text of few letters
const FEW_LETTERS = 6;
const KEY_LETTERS = 24;

/** The letters of a text without markup and white space, and the place of each in the text. */
function squeezed(text) {
  let letters = "";
  const places = [];
  let from = 0;
  const take = (to) => {
    for (let at = from; at < to; at++) places.push(at);
    letters += text.slice(from, to);
  };
  for (const found of text.matchAll(MARKUP)) {
    take(found.index);
    from = found.index + found[0].length;
  }
  take(text.length);
  return { letters, places };
}

/**
 * The parts of the text that come from a block or an image: `from`, `to`, and `block` or `image`, in the order of the text, none inside
 * another. `order` holds the blocks in the order in which they were written: each is looked for behind the one before, then anywhere.
 */
function pairUp(markdown, blocks, images, order) {
  const parts = imageParts(markdown, images);
  const blank = parts.reduce((text, { from, to }) => text.slice(0, from) + " ".repeat(to - from) + text.slice(to), markdown);
  const { letters, places } = squeezed(blank);
  let cursor = 0;
  for (const block of order) {
    const text = blocks[block].text;
    const cut = text.endsWith("…");
    const whole = squeezed(cut ? text.slice(0, -1) : text).letters;
    if (!whole) continue;
    const [at, length] = placeOf(letters, whole, cursor);
    if (at < 0) continue;
    const to = places[at + length - 1] + 1;
    const lineEnd = markdown.indexOf("\n", to);
    parts.push({ from: places[at], to: cut ? (lineEnd < 0 ? markdown.length : lineEnd) : to, block });
    cursor = at + length;
  }
  parts.sort((one, other) => one.from - other.from);
  return parts.filter((part, number) => number === 0 || part.from >= parts[number - 1].to || part.to > parts[number - 1].to);
}

/** Where the letters of a block are, and how many of them were found there. */
function placeOf(letters, whole, cursor) {
  const ahead = letters.indexOf(whole, cursor);
  if (ahead >= 0 && ahead - cursor <= (whole.length < FEW_LETTERS ? NEAR_BY : AHEAD)) return [ahead, whole.length];
  if (whole.length < FEW_LETTERS) return [-1, 0];
  const key = whole.slice(0, KEY_LETTERS);
  for (const from of [cursor, 0]) {
    const at = letters.indexOf(key, from);
    if (at >= 0) return [at, letters.startsWith(whole, at) ? whole.length : key.length];
  }
  return [-1, 0];
}

/** The images of the text, by their address, else in their order. */
function imageParts(markdown, images) {
  const kept = images.map((image, number) => [image, number]).filter(([image]) => image.kept);
  const parts = [];
  for (const found of markdown.matchAll(IMAGE)) {
    const address = found[2].replace(/^<|>$/g, "").replace(/\\(.)/g, "$1");
    let at = kept.findIndex(([image]) => image.source === address);
    if (at < 0) at = kept.length ? 0 : -1;
    if (at < 0) continue;
    const [[, number]] = kept.splice(at, 1);
    parts.push({ from: found.index, to: found.index + found[0].length, image: number });
  }
  return parts;
}
