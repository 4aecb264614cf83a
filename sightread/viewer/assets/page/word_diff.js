// A word-level diff of two texts: first of their lines, then of the words of lines that were replaced (Myers 1986, "An O(ND) difference
// algorithm and its variations"; the greedy algorithm, with its trace).

const MOST_EDITS = 2000; // of one diff: beyond it the two sides are shown as replaced whole, which is what they are

/** The edits that lead from one list to another: [kind, value] with kind 0 for both, -1 for the first alone, 1 for the second alone. */
function edits(one, other) {
  let from = 0;
  let [ends, otherEnds] = [one.length, other.length];
  while (from < ends && from < otherEnds && one[from] === other[from]) from++;
  while (ends > from && otherEnds > from && one[ends - 1] === other[otherEnds - 1]) { ends--; otherEnds--; }
  const same = (list, begin, end) => list.slice(begin, end).map((value) => [0, value]);
  return [...same(one, 0, from), ...middle(one.slice(from, ends), other.slice(from, otherEnds)), ...same(one, ends, one.length)];
}

function middle(one, other) {
  const whole = () => [...one.map((value) => [-1, value]), ...other.map((value) => [1, value])];
  if (!one.length || !other.length) return whole();
  const most = Math.min(one.length + other.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 2); // furthest place in `one` on each diagonal
  const trace = [];
  for (let distance = 0; distance <= most; distance++) {
    trace.push(reach.slice(most - distance, most + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const at = most + diagonal;
      const down = diagonal === -distance || (diagonal !== distance && reach[at - 1] < reach[at + 1]);
      let x = down ? reach[at + 1] : reach[at - 1] + 1;
      let y = x - diagonal;
      while (x < one.length && y < other.length && one[x] === other[y]) { x++; y++; }
      reach[at] = x;
      if (x >= one.length && y >= other.length) return backwards(one, other, trace);
    }
  }
  return whole();
}

function backwards(one, other, trace) {
  const found = [];
  let [x, y] = [one.length, other.length];
  for (let distance = trace.length - 1; distance > 0; distance--) {
    const reach = trace[distance]; // entry i is diagonal i - distance
    const diagonal = x - y;
    const at = diagonal + distance;
    const down = diagonal === -distance || (diagonal !== distance && reach[at - 1] < reach[at + 1]);
    const before = down ? reach[at + 1] : reach[at - 1];
    const [fromX, fromY] = [before, before - (down ? diagonal + 1 : diagonal - 1)];
    while (x > fromX && y > fromY) found.push([0, one[(x--, y--, x)]]);
    found.push(down ? [1, other[--y]] : [-1, one[--x]]);
  }
  while (x > 0) found.push([0, one[(x--, y--, x)]]);
  return found.reverse();
}

/** Words, and what stands between them; scripts without spaces are split by their words where the browser knows them. */
function wordsOf(text) {
  if (typeof Intl.Segmenter !== "function") return text.split(/(\s+)/).filter(Boolean);
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].map(({ segment }) => segment);
}

/**
 * The lines of both texts in order, each as a list of pieces [kind, text] with the kinds of `edits`. Lines that one text has in place of
 * lines of the other are compared by words.
 */
function diffTexts(one, other) {
  const lines = [];
  let [removed, added] = [[], []];
  const flush = () => {
    if (removed.length && added.length) lines.push(...brokenUp(edits(wordsOf(removed.join("\n")), wordsOf(added.join("\n")))));
    else lines.push(...removed.map((line) => [[-1, line]]), ...added.map((line) => [[1, line]]));
    [removed, added] = [[], []];
  };
  for (const [kind, line] of edits(one.split("\n"), other.split("\n"))) {
    if (kind < 0) removed.push(line);
    else if (kind > 0) added.push(line);
    else {
      flush();
      lines.push([[0, line]]);
    }
  }
  flush();
  return lines;
}

/** Pieces of text as lines: equal neighbours are joined, and a line break ends a line. */
function brokenUp(pieces) {
  const lines = [[]];
  for (const [kind, text] of pieces) {
    text.split("\n").forEach((part, number) => {
      if (number) lines.push([]);
      const line = lines.at(-1);
      if (line.length && line.at(-1)[0] === kind) line.at(-1)[1] += part;
      else if (part) line.push([kind, part]);
    });
  }
  return lines.filter((line) => line.length);
}

/** How many words each kind has: [both, the first alone, the second alone]. */
function tally(lines) {
  const found = [0, 0, 0];
  for (const [kind, text] of lines.flat()) found[[1, 0, 2][kind + 1]] += text.split(/\s+/).filter(Boolean).length;
  return found;
}
