// Where each block of the site is on the map, and which one is at a place of it.

const LANE = 30; // CSS px of the height of a lane
const CELL = 16; // CSS px of the cells by which a block is found
const TOP = 26; // CSS px above the first lane, for the axis
const EDGE = 8; // CSS px left free at the ends of an axis

/** CSS px of the side of a block's mark, by its characters. */
const sideOf = (characters) => Math.min(8, 2.5 + Math.sqrt(characters) / 5);

/** The lanes of an arrangement: their keys in order, and the lane of each entry. */
function lanesOf(map, arrangement) {
  if (arrangement === "place") return { keys: [null], laneOf: () => 0 };
  if (arrangement === "page") {
    const keys = state.site.pages.map((_, row) => row).filter((row) => map.ranges[row][1]);
    const order = new Map(keys.map((row, lane) => [row, lane]));
    return { keys, laneOf: (entry) => order.get(map.page[entry]) };
  }
  const looks = [...state.site.clusters].sort((one, other) => isContent(other) - isContent(one) || other.text_share - one.text_share || one.id - other.id);
  const keys = [...looks.map(({ id }) => id), -1];
  const order = new Map(keys.map((id, lane) => [id, lane]));
  return { keys, laneOf: (entry) => order.get(map.cluster[entry]) ?? keys.length - 1 };
}

/** The nine tenths quantile of the pages' heights: longer pages end at the edge of the map. */
function usualHeight(map) {
  const heights = map.sizes.map(([, height]) => height).filter(Boolean).sort((one, other) => one - other);
  return heights[Math.floor(0.9 * (heights.length - 1))] ?? 1;
}

/**
 * Lay out all blocks for a width and a height in CSS px. In lanes a block is as far to the right as it is down its page, and as low in its lane
 * as it is to the right on its page; without lanes it is where it is on its page.
 */
function layOut(map, arrangement, width, height) {
  const { keys, laneOf } = lanesOf(map, arrangement);
  const isPlace = arrangement === "place";
  const tall = isPlace ? height : TOP + keys.length * LANE + EDGE;
  const total = map.page.length;
  const [xs, ys, lanes] = [new Float32Array(total), new Float32Array(total), new Int32Array(total)];
  const usual = usualHeight(map);
  const cells = new Map();
  const scale = isPlace ? Math.min((width - 2 * EDGE) / Math.max(...map.sizes.map(([wide]) => wide), 1), Infinity) : 0;
  for (let entry = 0; entry < total; entry++) {
    const [wide, long] = map.sizes[map.page[entry]];
    const across = Math.min(1, Math.max(0, (map.x[entry] + map.width[entry] / 2) / (wide || 1)));
    const down = Math.min(1, Math.max(0, (map.y[entry] + map.height[entry] / 2) / (long || 1)));
    lanes[entry] = laneOf(entry);
    if (isPlace) {
      xs[entry] = EDGE + across * wide * scale;
      ys[entry] = TOP + Math.min(1, (map.y[entry] + map.height[entry] / 2) / usual) * (tall - TOP - EDGE);
    } else {
      xs[entry] = EDGE + down * (width - 2 * EDGE);
      ys[entry] = TOP + lanes[entry] * LANE + 5 + across * (LANE - 10);
    }
    const cell = cellOf(xs[entry], ys[entry]);
    (cells.get(cell) ?? cells.set(cell, []).get(cell)).push(entry);
  }
  return { keys, xs, ys, lanes, cells, width, height: tall, arrangement };
}

const cellOf = (x, y) => Math.floor(y / CELL) * 65536 + Math.floor(x / CELL);

/** The entry nearest to a place, at most a cell away, of those that are shown; null if there is none. */
function entryAt(layout, x, y, isShown) {
  let [best, least] = [null, CELL * CELL];
  for (let row = -1; row <= 1; row++) {
    for (let column = -1; column <= 1; column++) {
      for (const entry of layout.cells.get(cellOf(x + column * CELL, y + row * CELL)) ?? []) {
        const distance = (layout.xs[entry] - x) ** 2 + (layout.ys[entry] - y) ** 2;
        if (distance < least && isShown(entry)) [best, least] = [entry, distance];
      }
    }
  }
  return best;
}

/** The nearest entry in a direction: along it first, so that arrows walk in lines. */
function entryBeside(layout, from, [right, below], isShown) {
  let [best, least] = [null, Infinity];
  for (let entry = 0; entry < layout.xs.length; entry++) {
    const [x, y] = [layout.xs[entry] - layout.xs[from], layout.ys[entry] - layout.ys[from]];
    const along = right * x + below * y;
    const aside = Math.abs(right ? y : x);
    if (along < 0.5 || aside > 2 * along + 2 || !isShown(entry)) continue;
    const distance = along + 2 * aside;
    if (distance < least) [best, least] = [entry, distance];
  }
  return best;
}
