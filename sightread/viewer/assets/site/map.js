// The map of all blocks of the site on two canvases: one with all blocks, and one above it with the block in hand. Only what is in the window
// is drawn.

const ARRANGED = { look: "By look", page: "By page", place: "As on the page" };
const AXIS = { look: ["top of the page", "bottom"], page: ["top of the page", "bottom"], place: ["", ""] };
let layout = null;

/** Colours of an entry: of its mark, and whether the mark is filled. */
function paintOf(entry) {
  const { map, colour } = state;
  const flags = map.flags[entry];
  if (colour === "cluster") return [state.colours.get(map.cluster[entry]) ?? "#8a8f98", true];
  if (colour === "label") return flags & CONTENT ? ["--kept", true] : flags & BOILERPLATE ? ["--dropped", false] : ["--unknown", false];
  return flags & KEPT ? ["--kept", true] : ["--dropped", false];
}

const isOnMap = (entry) => (state.hidden || !(state.map.flags[entry] & HIDDEN_BLOCK)) && (state.cluster === null || state.map.cluster[entry] === state.cluster);

/** Size both canvases to the window of the map, and draw all that is in it. */
function drawMap() {
  if (state.tab !== "map" || !state.map || !layout) return;
  const plot = $("plot");
  const [width, height, top] = [plot.clientWidth, plot.clientHeight, plot.scrollTop];
  const ratio = window.devicePixelRatio || 1;
  for (const name of ["map-blocks", "map-hand"]) {
    const canvas = $(name);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
  }
  const context = $("map-blocks").getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  drawLanes(context, width, top);
  const colours = new Map();
  const { xs, ys } = layout;
  for (let entry = 0; entry < xs.length; entry++) {
    const y = ys[entry] - top;
    if (y < -8 || y > height + 8 || (!state.hidden && state.map.flags[entry] & HIDDEN_BLOCK)) continue;
    const [name, isFilled] = paintOf(entry);
    const key = `${name} ${isFilled} ${isOnMap(entry)}`;
    (colours.get(key) ?? colours.set(key, [name, isFilled, isOnMap(entry), []]).get(key))[3].push(entry);
  }
  for (const [name, isFilled, isShown, entries] of [...colours.values()].sort((one, other) => one[2] - other[2] || one[1] - other[1])) {
    context.fillStyle = context.strokeStyle = name.startsWith("--") ? themed(name) : name;
    context.globalAlpha = isShown ? (isFilled ? 0.62 : 0.7) : 0.08;
    for (const entry of entries) drawMark(context, xs[entry], ys[entry] - top, sideOf(state.map.characters[entry]), isFilled);
  }
  context.globalAlpha = 1;
  drawHand();
}

function drawMark(context, x, y, side, isFilled) {
  if (isFilled) context.fillRect(x - side / 2, y - side / 2, side, side);
  else context.strokeRect(x - side / 2 + 0.5, y - side / 2 + 0.5, side - 1, side - 1);
}

function drawLanes(context, width, top) {
  const [soft, line] = [themed("--soft"), themed("--line")];
  context.strokeStyle = line;
  context.fillStyle = soft;
  context.font = "11.5px system-ui, sans-serif";
  context.lineWidth = 1;
  const [first, last] = AXIS[layout.arrangement];
  context.textBaseline = "middle";
  context.textAlign = "start";
  context.fillText(first, EDGE, 12 - top);
  context.textAlign = "end";
  context.fillText(last, width - EDGE, 12 - top);
  if (layout.arrangement === "place") {
    const usual = usualHeight(state.map);
    const step = [200, 500, 1000, 2000, 5000, 10000, 50000].find((px) => usual / px <= 8) ?? usual;
    for (let px = 0; px <= usual; px += step) {
      const y = TOP + (px / usual) * (layout.height - TOP - EDGE) - top;
      context.beginPath();
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.stroke();
      context.fillText(`${count.format(px)} px`, width - EDGE, y + 8);
    }
    return;
  }
  for (let lane = 0; lane <= layout.keys.length; lane++) {
    const y = Math.round(TOP + lane * LANE - top) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }
}

/** Draw the block in hand, and more faintly the other blocks of its page. */
function drawHand() {
  const canvas = $("map-hand");
  const context = canvas.getContext("2d");
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { map, point } = state;
  if (point === null || !map || !layout) return;
  const { scrollTop, clientHeight } = $("plot");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const ink = themed("--ink");
  context.strokeStyle = ink;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  const [from, to] = map.ranges[map.page[point]];
  for (let entry = from; entry < to; entry++) {
    const y = layout.ys[entry] - scrollTop;
    if (y < 0 || y > clientHeight || !isOnMap(entry)) continue;
    const side = sideOf(map.characters[entry]) + 2;
    context.strokeRect(layout.xs[entry] - side / 2, y - side / 2, side, side);
  }
  context.globalAlpha = 1;
  context.lineWidth = 2;
  const side = sideOf(map.characters[point]) + 7;
  context.strokeRect(layout.xs[point] - side / 2, layout.ys[point] - scrollTop - side / 2, side, side);
}

/** The name of a lane: a button that highlights the look, or opens the page. */
function laneName(key) {
  if (layout.arrangement === "page") {
    const name = make("button", "lane", foreign("span", "snippet", state.site.pages[key].title));
    name.addEventListener("click", () => openPage(key, null, "blocks"));
    return name;
  }
  if (key === -1) return make("span", "lane muted", "Like no other");
  const look = clusterOf(key);
  const dot = make("i", "dot");
  dot.style.background = state.colours.get(key);
  const name = make("button", "lane", [dot, make("b", "", `${key}`), foreign("span", "snippet", look.samples[0] ?? roleOf(look))]);
  name.ariaLabel = `Look ${key}, ${roleOf(look)}, ${isContent(look) ? "kept" : "dropped"}: show it alone`;
  name.ariaPressed = String(key === state.cluster);
  name.addEventListener("click", () => change({ cluster: state.cluster === key ? null : key }));
  return name;
}

/** Lay the map out anew, and draw it. */
function paintMap() {
  if (state.tab !== "map") return;
  const { map, site, arrangement } = state;
  for (const choice of $("arrangement").children) choice.setAttribute("aria-checked", choice.dataset.arrangement === arrangement);
  if (!map) {
    $("map-said").textContent = "The map is drawn…";
    loadMap();
    return;
  }
  const plot = $("plot");
  layout = layOut(map, arrangement, plot.clientWidth, plot.clientHeight);
  $("map-room").style.height = `${layout.height}px`;
  $("lanes").replaceChildren(...(arrangement === "place" ? [] : layout.keys.map(laneName)));
  $("map").classList.toggle("laned", arrangement !== "place");
  $("map").style.setProperty("--lane", `${LANE}px`);
  $("lanes").style.paddingTop = `${TOP}px`;
  paintMapLegend();
  sayPoint();
  drawMap();
  if (!map.page.length) $("map-said").textContent = "No page of this site has places of blocks: no browser laid them out.";
  else if (map.total > map.page.length) $("map-note").textContent = `An even sample of ${count.format(map.page.length)} of ${plural(map.total, "block")} on ${plural(site.pages.length, "page")}`;
  else $("map-note").textContent = `${plural(map.total, "block")} on ${plural(site.pages.length, "page")}`;
}

function paintMapLegend() {
  const { map, colour } = state;
  const total = (bit) => map.flags.reduce((sum, flags) => sum + Number(Boolean(flags & bit)), 0);
  const shown = map.flags.length;
  const entries = {
    prediction: () => [legendEntry("kept", `kept ${count.format(total(KEPT))}`), legendEntry("dropped", `dropped ${count.format(shown - total(KEPT))}`)],
    label: () => [legendEntry("kept", `content ${count.format(total(CONTENT))}`), legendEntry("dropped", `boilerplate ${count.format(total(BOILERPLATE))}`), legendEntry("unknown", `unknown ${count.format(shown - total(CONTENT) - total(BOILERPLATE))}`)],
    cluster: () => [legendEntry("cluster", "one colour per look")],
  };
  const chip = state.cluster === null ? [] : [button(`only look ${state.cluster} ×`, "", () => change({ cluster: null }), "chip")];
  $("map-legend").replaceChildren(...entries[colour](), ...chip);
  for (const choice of $("map-colour").children) choice.setAttribute("aria-checked", choice.dataset.colour === colour);
}

let tipTimer = 0;

/** Describe the block in hand beside it, and to screen readers. */
function sayPoint() {
  const tip = $("map-tip");
  const { map, point } = state;
  clearTimeout(tipTimer);
  if (point === null || !map || !layout || state.tab !== "map") {
    tip.hidden = true;
    $("map-said").textContent = "";
    return;
  }
  const [page, block, cluster, flags] = [map.page[point], map.block[point], map.cluster[point], map.flags[point]];
  const look = clusterOf(cluster);
  const verdictOf = flags & KEPT ? "Kept" : "Dropped";
  const quote = foreign("blockquote", "", "…");
  tip.replaceChildren(
    make("p", "", [make("span", `pill ${flags & KEPT ? "kept" : "dropped"}`, verdictOf), look ? ` look ${cluster}, ${roleOf(look)}` : cluster === -1 && state.site.clusters.length ? " like no other" : ""]),
    quote,
    foreign("p", "muted snippet", state.site.pages[page].title),
    button("Open the block", "Enter", openPoint, "inline"),
  );
  tip.hidden = false;
  placeTip();
  tipTimer = setTimeout(async () => {
    const view = await pageOf(page);
    if (state.point !== point) return;
    quote.textContent = view.blocks[block].text;
    $("map-said").textContent = `${verdictOf}, ${look ? `look ${cluster}, ` : ""}${view.blocks[block].text.slice(0, 120)}, on ${state.site.pages[page].title}`;
    placeTip();
  }, STILL / 2);
}

function placeTip() {
  const [tip, plot] = [$("map-tip"), $("plot")];
  const [x, y] = [layout.xs[state.point], layout.ys[state.point] - plot.scrollTop];
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  tip.style.left = `${Math.max(4, Math.min(plot.clientWidth - width - 4, x + 14))}px`;
  tip.style.top = `${y + 16 + height < plot.clientHeight ? y + 16 : Math.max(4, y - height - 14)}px`;
}

function openPoint() {
  const { map, point } = state;
  if (point !== null) openPage(map.page[point], map.block[point], "blocks");
}

/** The first block in the window of the map: of the uppermost lane the leftmost. */
function firstEntry() {
  const { scrollTop } = $("plot");
  let best = null;
  for (let entry = 0; entry < layout.xs.length; entry++) {
    if (layout.ys[entry] < scrollTop || !isOnMap(entry)) continue;
    const order = best === null ? -1 : layout.lanes[entry] - layout.lanes[best] || layout.xs[entry] - layout.xs[best];
    if (order < 0) best = entry;
  }
  return best;
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** A key of the map; returns whether it was one. */
function onMapKey(key) {
  if (state.tab !== "map" || !layout || !state.map?.page.length) return false;
  if (key === "Enter" && state.point !== null) {
    openPoint();
    return true;
  }
  if (!ARROWS[key]) return false;
  const next = state.point === null ? firstEntry() : entryBeside(layout, state.point, ARROWS[key], isOnMap);
  if (next !== null) {
    const plot = $("plot");
    const y = layout.ys[next];
    if (y < plot.scrollTop + TOP || y > plot.scrollTop + plot.clientHeight - LANE) plot.scrollTop = y - plot.clientHeight / 2;
    change({ point: next });
  }
  return true;
}

function startMap() {
  const plot = $("plot");
  const at = (event) => {
    const box = plot.getBoundingClientRect();
    return layout && state.map ? entryAt(layout, event.clientX - box.x, event.clientY - box.y + plot.scrollTop, isOnMap) : null;
  };
  let frame = 0;
  plot.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.target.closest("#map-tip")) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => change({ point: at(event) }));
  });
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && change({ point: null }));
  plot.addEventListener("click", (event) => {
    if (event.target.closest("#map-tip")) return;
    const entry = at(event);
    const isHeld = entry === state.point;
    change({ point: entry });
    if (entry !== null && (event.pointerType === "mouse" || isHeld)) openPoint();
  });
  plot.addEventListener("scroll", () => {
    $("lanes").style.transform = `translateY(${-plot.scrollTop}px)`;
    drawMap();
    if (state.point !== null) placeTip();
  }, { passive: true });
  for (const choice of $("arrangement").children) choice.addEventListener("click", () => change({ arrangement: choice.dataset.arrangement }));
  for (const choice of $("map-colour").children) {
    choice.addEventListener("click", () => change({ colour: choice.dataset.colour }));
    choice.hidden = !{ prediction: state.site.predicted, label: state.site.labelled, cluster: state.site.clusters.length }[choice.dataset.colour];
  }
  new ResizeObserver(() => state.tab === "map" && paintMap()).observe(plot);
  paints("tab map arrangement colour cluster hidden scheme site", paintMap);
  paints("point", () => {
    drawHand();
    sayPoint();
  });
}
