// Versions of the site: how each was learned, whether pages read since look like those learned from, and what two versions read differently.

const STATES = { "in use": "kept", previous: "", rejected: "dropped", unfinished: "" };
const when = (time) => (time ? time.replace("T", " ").slice(0, 16) : "–");

function versionRow(version) {
  const f1 = version.expected_f1;
  const row = make("tr", "", [
    make("th", "", version.number, { scope: "row" }),
    make("td", "", make("span", `pill ${STATES[version.state]}`, version.state)),
    make("td", "", when(version.crawled_at)),
    make("td", "number", `${count.format(version.pages)}${version.failures ? ` + ${count.format(version.failures)} failed` : ""}`),
    make("td", "", f1 === null ? "–" : make("span", "with-meter", [meter(f1, "thin"), decimals(f1)])),
    make("td", "number", decimals(version.global_f1)),
    make("td", "", version.reason || version.distrust_reason || (f1 === null ? "not evaluated" : "trusted")),
  ]);
  return row;
}

function versionsCard(versions) {
  const head = ["Version", "State", "Crawled, UTC", "Pages", "Expected F1", "Global F1", "Trust"].map((name) => make("th", "", name, { scope: "col" }));
  const table = make("table", "versions", [make("thead", "", make("tr", "", head)), make("tbody", "", [...versions].reverse().map(versionRow))]);
  return make("section", "card wide", [make("h2", "", "Versions"), make("div", "wide-table", table, { tabIndex: 0, role: "region", ariaLabel: "Versions" })]);
}

/** A strip of marks in the order of time, one per page: low and blue where it looks familiar, high and orange where it does not. */
function strip(marks, label) {
  const bars = marks.map(([share, isStrange, title]) => {
    const bar = make("i", isStrange ? "strange" : "", [], { title });
    bar.style.height = `${Math.max(6, 100 * share)}%`;
    return bar;
  });
  return make("div", "strip", bars, { role: "img", ariaLabel: label });
}

const RUN = 10; // pages over which the share of such signs is taken, as when a change of the site is noticed

/** The pages that were read live with a version, in the order of time. */
function driftOf({ number, readings, usual, state: use, drifted }) {
  const shares = readings.map((_, last) => {
    const run = readings.slice(Math.max(0, last + 1 - RUN), last + 1);
    return run.filter(Boolean).length / run.length;
  });
  const unlike = readings.filter(Boolean).length;
  const said = `Version ${number}: of ${plural(readings.length, "page")} read with it ${unlike} had lost the looks of those that it was learned from${usual === null ? "" : `; up to ${percent(usual)} is usual`}.`;
  const marks = shares.map((share, place) => [share, readings[place], `page ${place + 1}: ${readings[place] ? "a sign" : "no sign"} of a change`]);
  return [
    make("p", use === "in use" ? "" : "muted", said),
    strip(marks, said),
    drifted ? make("p", "warn", "The last pages are evidence that the site has changed: learn it again with --refresh.") : null,
  ].filter(Boolean);
}

function driftCard(versions) {
  const read = versions.filter(({ readings }) => readings.length);
  const none = make("p", "muted", "No page has been read live since the site was learned. Each page that auto reads from its URL is recorded, and compared with those learned from.");
  const legend = make("p", "legend", [legendEntry("kept", "no sign of a change"), legendEntry("dropped", "a sign of a change"), make("span", "", `height: share of such signs among the ${RUN} pages up to each`)]);
  return make("section", "card wide", [make("h2", "", "Drift over time"), ...(read.length ? [...read.flatMap(driftOf), legend] : [none])]);
}

/** The pages that two versions read most differently, and the looks that are new. */
function comparisonCard({ version, pages, looks }) {
  const changed = pages.filter(({ f1, strange }) => f1 < 1 || strange).sort((one, other) => one.f1 - other.f1 || one.known - other.known);
  const fresh = state.site.clusters.filter(({ id }) => looks[id] !== undefined && looks[id] < 0.5).sort((one, other) => other.text_share - one.text_share);
  const inTime = [...pages].sort((one, other) => one.rendered_at.localeCompare(other.rendered_at));
  const strange = pages.filter((page) => page.strange).length;
  const items = changed.slice(0, 60).map((page) => {
    const open = make("button", "look change-of-page", [
      foreign("span", "title", state.site.pages[page.page].title),
      make("span", "figures-of-change", [page.gained ? make("b", "gained", `+${count.format(page.gained)}`) : null, page.lost ? make("b", "lost", `−${count.format(page.lost)}`) : null]),
      make("span", "with-meter", [meter(page.f1, "thin"), decimals(page.f1)]),
      make("span", page.strange ? "tag empty" : "tag", page.strange ? "unlike it" : `${percent(page.known)} known`),
    ]);
    open.addEventListener("click", () => openPage(page.page, null, "models").then(() => change({ model: `version ${version}`, diff: "words", ...(state.models ? { reference: "auto" } : {}) })));
    return make("li", "", open);
  });
  const freshItems = fresh.slice(0, 20).map((look) => {
    const open = make("button", "look", [make("b", "", `Look ${look.id}`), swatch(look.style, look.samples[0] ?? ""), make("span", "reason", `${percent(1 - looks[look.id])} of ${plural(look.blocks, "block")} new, ${percent(look.text_share)} of the text`)]);
    open.addEventListener("click", () => highlight(look.id, "looks"));
    return make("li", "", open);
  });
  return [
    make("section", "card wide", [
      make("h2", "", `Against version ${version}`),
      make("p", "", [`It reads ${plural(changed.length, "page")} of ${count.format(pages.length)} differently; ${strange} look unlike those that it was learned from. `, make("b", "gained", "+"), " characters that only the version in use keeps, ", make("b", "lost", "−"), ` that only version ${version} does.`]),
      strip(inTime.map((page) => [1 - page.known, page.strange, `${state.site.pages[page.page].title}: ${percent(1 - page.known)} of its text looks new`]), `How much of the text of ${plural(pages.length, "page")} looks new to version ${version}, in the order in which they were crawled`),
      make("p", "muted", "The height is the share of a page’s text whose look that version does not know, in the order of the crawl."),
      items.length ? make("ol", "looks", items) : make("p", "muted", "Both versions read all pages alike."),
    ]),
    make("section", "card wide", [make("h2", "", `Looks that version ${version} does not know`), freshItems.length ? make("ol", "looks fresh", freshItems) : make("p", "muted", "None.")]),
  ];
}

async function loadHistory() {
  if (state.tab !== "versions" || !state.site?.offers.includes("history")) return;
  if (!state.history) return change({ history: await source.history() });
  const others = state.history.filter((version) => version.state !== "in use" && version.can_read);
  const wanted = others.find(({ number }) => number === state.against) ?? others.at(-1);
  if (!wanted || state.comparison?.version === wanted.number || loadHistory.running === wanted.number) return;
  loadHistory.running = wanted.number;
  try {
    change({ comparison: await source.comparison(wanted.number) });
  } finally {
    loadHistory.running = null;
  }
}

function paintVersions() {
  if (state.tab !== "versions") return;
  const { history, comparison } = state;
  if (!history) return $("versions").replaceChildren(make("p", "muted none", "The versions are read…"));
  const others = history.filter((version) => version.state !== "in use" && version.can_read);
  const choice = others.length < 2 ? null : make("p", "actions", others.map(({ number }) => {
    const each = button(`Version ${number}`, "", () => change({ against: number, comparison: null }), "inline");
    each.ariaPressed = String(number === comparison?.version);
    return each;
  }));
  const compared = comparison ? comparisonCard(comparison) : [make("p", "muted", others.length ? "The pages are read by the other version…" : "There is no other version to compare with: learn the site again with --refresh.")];
  $("versions").replaceChildren(make("div", "cards", [versionsCard(history), driftCard(history), choice, ...compared].filter(Boolean)));
}

function startVersions() {
  paints("tab history comparison against", loadHistory);
  paints("tab history comparison against site", paintVersions);
}
