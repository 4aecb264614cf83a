// The list of pages on the left, failed ones included.

const ORDERS = {
  site: () => 0,
  expected: (one, other) => (one.expected_f1 ?? 2) - (other.expected_f1 ?? 2),
  difference: (one, other) => (one.difference?.[0] ?? 2) - (other.difference?.[0] ?? 2),
  disagreement: (one, other) => other.disagreements - one.disagreements || other.unsure - one.unsure,
  failure: () => 0,
};

/** Rows of the pages in the order of the list, those that the filter leaves. */
function listed() {
  const { pages } = state.site;
  const query = state.query.trim().toLowerCase();
  const rows = pages.map((_, row) => row).filter((row) => `${pages[row].title}\n${pages[row].url}`.toLowerCase().includes(query));
  return rows.sort((one, other) => ORDERS[state.sort](pages[one], pages[other]));
}

function addressOf(url) {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return safelyDecoded(pathname) + search;
}

function safelyDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function badge(mark, number, meaning) {
  return make("span", "badge", [make("i", `mark ${mark}`), count.format(number)], { title: `${plural(number, "block")} ${meaning}` });
}

/** What two models keep of a page, in words. */
function differenceOf([, more, less]) {
  return `keeps ${plural(more, "character")} that the global model drops, and drops ${count.format(less)} that it keeps`;
}

/** How much of the page the global model reads otherwise; nothing if that is less than a hundredth. */
function differenceBadge({ difference }) {
  if (!difference || difference[0] > 0.99) return null;
  return make("span", "badge", `≠ ${percent(1 - difference[0])}`, { title: `Unlike the global model, the site’s model ${differenceOf(difference)}` });
}

function pageItem(row) {
  const page = state.site.pages[row];
  const badges = make("span", "badges", [
    page.disagreements ? badge("kept differs", page.disagreements, page.disagreements === 1 ? "differs from its label" : "differ from their label") : null,
    page.unsure ? badge("kept unsure", page.unsure, "of which the model is unsure") : null,
    differenceBadge(page),
    state.site.job.model.startsWith("site") && page.model && page.model !== "site" ? make("span", "badge", page.model, { title: `the model ${page.model} read this page: the site’s model does not fit it` }) : null,
    page.kept ? null : make("span", "badge empty", "empty", { title: "the model that was learned keeps nothing" }),
  ]);
  const button = make("button", "page", [
    foreign("span", "title", page.title),
    make("span", `sure ${page.expected_f1 !== null && page.expected_f1 < state.site.low_f1 ? "low" : ""}`, decimals(page.expected_f1), { title: "The model’s own estimate of its F1 on this page" }),
    foreign("span", "address", addressOf(page.url)),
    badges,
  ]);
  button.dataset.row = row;
  button.addEventListener("click", () => {
    showPages(false);
    openPage(row, null, PAGELESS.includes(state.tab) ? "blocks" : state.tab);
  });
  return make("li", "", button);
}

function failureItem([url, reason]) {
  return make("li", "", make("div", "page failed", [foreign("span", "title", addressOf(url)), make("span", "sure", "failed"), foreign("span", "address", reason)]));
}

function paintList() {
  const query = state.query.trim().toLowerCase();
  const pages = listed().map(pageItem);
  const failures = state.site.job.failures.filter(([url]) => url.toLowerCase().includes(query)).map(failureItem);
  $("page-list").replaceChildren(...(state.sort === "failure" ? [...failures, ...pages] : [...pages, ...failures]));
  if (!pages.length && !failures.length) $("page-list").append(make("li", "none", "No page has that in its title or address."));
  paintCurrent();
}

/** Bring an entry into view within the list; where the list is as long as its content, as on a phone, nothing moves. */
function scrollToEntry(entry) {
  const list = $("page-list");
  const top = entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top < 0 || top + entry.offsetHeight > list.clientHeight) list.scrollTop += top - list.clientHeight / 3;
}

function paintCurrent() {
  for (const button of $("page-list").querySelectorAll("button.page")) {
    const current = Number(button.dataset.row) === state.page;
    button.toggleAttribute("aria-current", current);
    if (current) scrollToEntry(button);
  }
}

/** Go to the next page of the list, or the previous one. */
function step(by) {
  const rows = listed();
  const next = rows[rows.indexOf(state.page) + by];
  if (next !== undefined) openPage(next, null, PAGELESS.includes(state.tab) ? "blocks" : state.tab);
}

const PAGELESS = ["overview", "map", "versions"]; // views that show no single page

/** Open or close the list where it lies over the view, as on a phone; returns whether it was open. */
function showPages(open) {
  const before = document.body.classList.contains("listing");
  document.body.classList.toggle("listing", open);
  $("pages-button").setAttribute("aria-expanded", open);
  if (open) paintCurrent();
  return before;
}

function startPages() {
  document.body.classList.toggle("single", state.site.pages.length + state.site.job.failures.length < 2);
  $("filter").addEventListener("input", () => change({ query: $("filter").value }));
  $("sort").addEventListener("change", () => change({ sort: $("sort").value }));
  $("pages-button").addEventListener("click", () => showPages(!document.body.classList.contains("listing")));
  paints("query sort site", paintList);
  paints("page", paintCurrent);
  paintList();
}
