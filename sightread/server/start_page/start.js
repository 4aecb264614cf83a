"use strict";
// The start page. Everything from pages and callers is set as text, never as markup; every request goes to this service alone.

const $ = (id) => document.getElementById(id);
const base = new URL(".", location.href).href;

function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function show(id, message) {
  $(id).textContent = message;
  $(id).hidden = !message;
}

async function call(method, path, body, headers = {}) {
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 401) $("token-form").hidden = false;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ? answer.error.message : `HTTP status ${response.status}`);
  return answer;
}

// State of the service

async function showState() {
  try {
    const health = await (await fetch(`${base}healthz`)).json();
    const browser = health.browser || {};
    const jobs = health.jobs || {};
    const count = (number, what) => `${number || 0} ${what}`;
    $("state").textContent = [
      health.status === "ok" ? "running" : health.status,
      count(health.under_way, "requests"),
      `${browser.open || 0} of ${browser.bound || 0} tabs in use`,
      count(browser.done, "pages read"),
      count((jobs.queued || 0) + (jobs.running || 0), "unfinished jobs"),
    ].join(" · ");
    $("state").className = health.status === "ok" ? "good" : "bad";
  } catch {
    $("state").textContent = "not reachable";
    $("state").className = "bad";
  }
}

async function showModels() {
  try {
    const { models } = await call("GET", "api/v1/models");
    $("model").replaceChildren(...models.map((model) => make("option", model.name, { value: model.name, title: model.about })));
    $("model").value = models.find((model) => model.default).name;
  } catch { /* without a token there is no list */ }
}

// Reading a page

let answer = null;

function sourceIsHtml() {
  return document.querySelector("input[name=source]:checked").value === "html";
}

function showSource() {
  $("html").hidden = !sourceIsHtml();
  $("url").placeholder = sourceIsHtml() ? "its URL, if it has one" : "https://example.com/article";
}

function showOutput(view) {
  for (const tab of document.querySelectorAll("[data-view]")) tab.setAttribute("aria-selected", String(tab.dataset.view === view));
  $("output").textContent = view === "json" ? JSON.stringify(answer, null, 2) : answer[view];
  $("output").scrollTop = 0;
}

function showResult(inspected) {
  answer = inspected.answer;
  const words = (answer.text.match(/\S+/gu) || []).length;
  const facts = [
    answer.metadata.authors.length ? `by ${answer.metadata.authors.join(", ")}` : "",
    answer.metadata.published,
    `${words} words in ${answer.blocks.length} blocks`,
    `model ${answer.model}`,
    `expected F1 ${answer.expected_f1.toFixed(2)}`,
    answer.note,
  ];
  $("facts").replaceChildren(make("b", answer.metadata.title || answer.url || "Untitled"));
  for (const fact of facts.filter(Boolean)) $("facts").append(make("span", fact));
  $("result").hidden = false;
  showOutput("markdown");
  const path = `${base}inspections/${inspected.id}/`;
  $("inspector").src = path;
  $("wide").href = path;
}

async function read(event) {
  event.preventDefault();
  show("try-message", "");
  const wanted = { model: $("model").value };
  if ($("url").value.trim()) wanted.url = $("url").value.trim();
  if (sourceIsHtml()) wanted.html = $("html").value;
  $("read").disabled = true;
  $("read").textContent = "Reading…";
  try {
    showResult(await call("POST", "api/v1/inspect", wanted));
  } catch (error) {
    show("try-message", error.message);
    $("result").hidden = true; // it is of another page
  } finally {
    $("read").disabled = false;
    $("read").textContent = "Read";
    showExamples();
  }
}

// Jobs

function jobItem(job) {
  const finished = ["done", "failed", "cancelled"].includes(job.state);
  const item = make("li");
  const read = `${job.done} read${job.failed ? `, ${job.failed} failed` : ""}`;
  const begun = new Date(job.created * 1000).toLocaleString();
  const what = make("span", `${job.kind} ${job.target} · ${read}`, { class: "what", title: `${job.id}, ${begun}` });
  const bar = make("progress", "", { max: String(Math.max(1, job.total)), "aria-label": `${job.done + job.failed} of ${job.total} pages` });
  bar.value = job.state === "done" ? Math.max(1, job.total) : job.done + job.failed;
  item.append(what, bar, make("span", job.state));
  const action = make("button", finished ? "Results" : "Cancel", { class: "plain" });
  action.addEventListener("click", () => (finished ? save(job) : cancel(job)));
  const buttons = make("span", "", { class: "buttons" });
  if (job.state === "done" && job.kind !== "batch") {
    const inspect = make("button", "Inspect", { class: "plain" });
    inspect.addEventListener("click", () => inspectJob(job));
    buttons.append(inspect);
  }
  buttons.append(action);
  item.append(buttons, make("span", job.error ? job.error.message : job.step, { class: "step" }));
  return item;
}

async function save(job) {
  try {
    const lines = [];
    for (let after = 0; after !== null;) {
      const part = await call("GET", `api/v1/jobs/${job.id}/results?after=${after}`);
      lines.push(...part.results.map((outcome) => JSON.stringify(outcome)));
      after = part.next;
    }
    const link = make("a", "", { download: `${job.id}.jsonl`, href: URL.createObjectURL(new Blob([lines.join("\n"), "\n"])) });
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    show("jobs-message", error.message);
  }
}

async function inspectJob(job) {
  try {
    const { id } = await call("POST", `api/v1/jobs/${job.id}/inspect`);
    location.assign(`${base}inspections/${id}/`);
  } catch (error) {
    show("jobs-message", error.message);
  }
}

async function cancel(job) {
  try {
    await call("DELETE", `api/v1/jobs/${job.id}`);
    await showJobs();
  } catch (error) {
    show("jobs-message", error.message);
  }
}

let shown = "";

async function showJobs() {
  try {
    const { jobs } = await call("GET", "api/v1/jobs?limit=20");
    $("no-jobs").hidden = jobs.length > 0;
    if (JSON.stringify(jobs) !== shown) $("job-list").replaceChildren(...jobs.map(jobItem));
    shown = JSON.stringify(jobs);
  } catch { /* the state line reports it */ }
}

async function startJob(event) {
  event.preventDefault();
  show("jobs-message", "");
  const kind = $("crawl-learn").checked ? "learn" : "crawl";
  try {
    const key = { "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-") };
    await call("POST", "api/v1/jobs", { kind, url: $("crawl-url").value.trim(), pages: Number($("crawl-pages").value) }, key);
    await showJobs();
  } catch (error) {
    show("jobs-message", error.message);
  }
}

// Examples

function showExamples() {
  const url = $("url").value.trim() || "https://example.com/article";
  const withToken = sessionStorage.getItem("token") ? " \\\n  -H \"Authorization: Bearer $SIGHTREAD_TOKEN\"" : "";
  const quoted = JSON.stringify({ url }).replaceAll("'", "\\u0027");
  $("curl").textContent = `curl ${base}api/v1/extract${withToken} \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted}'`;
  const token = withToken ? ", token=os.environ[\"SIGHTREAD_TOKEN\"]" : "";
  $("python").textContent = [
    withToken ? "import os\n\nimport sightread" : "import sightread",
    "",
    `with sightread.Client("${base.replace(/\/$/, "")}"${token}) as client:`,
    `    page = client.extract(${JSON.stringify(url)})`,
    "    print(page.markdown)",
  ].join("\n");
}

function every(seconds, work) {
  work();
  setInterval(() => document.hidden || work(), seconds * 1000);
}

$("try").addEventListener("submit", read);
$("crawl").addEventListener("submit", startJob);
$("url").addEventListener("input", showExamples);
for (const radio of document.querySelectorAll("input[name=source]")) radio.addEventListener("change", showSource);
for (const tab of document.querySelectorAll("[data-view]")) tab.addEventListener("click", () => showOutput(tab.dataset.view));
$("copy").addEventListener("click", () => navigator.clipboard && navigator.clipboard.writeText($("output").textContent));
$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("token", $("token").value.trim());
  $("token-form").hidden = true;
  showModels();
  showJobs();
  showExamples();
});
showSource();
showExamples();
showModels();
every(2, showState);
every(2, showJobs);
