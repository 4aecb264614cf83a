// The site of a single page was not learned: the command that learns it, and a button where the server can begin to.

const LEARN_POLL = 2000;

async function learnSite() {
  const note = $("unlearned-state");
  $("learn-site").disabled = true;
  try {
    let learning = await sent("learn", {}, "");
    while (!learning.inspection && !["failed", "cancelled"].includes(learning.job?.state)) {
      note.textContent = learning.job.step || learning.job.state;
      await new Promise((resolve) => setTimeout(resolve, LEARN_POLL));
      learning = await fetched("learn");
    }
    if (learning.inspection) note.replaceChildren("It is learned. ", make("a", "", "Inspect the site", { href: `../${learning.inspection}/` }));
    else note.textContent = learning.job.error?.message ?? `The job was ${learning.job.state}.`;
  } catch (error) {
    note.textContent = error.message;
  }
  $("learn-site").disabled = false;
}

async function copyCommand(event) {
  const { command } = state.site.unlearned;
  try {
    await navigator.clipboard.writeText(command);
    event.target.textContent = "Copied";
  } catch { // only pages with TLS or of this machine may write to the clipboard: the command is selected to be copied by hand
    getSelection().selectAllChildren($("learn-command"));
  }
}

function startLearn() {
  const { unlearned } = state.site;
  if (!unlearned) return;
  const banner = make("section", "unlearned", [
    make("p", "", [foreign("b", "", unlearned.name), " was not learned: the model named above explains the page."]),
    make("p", "actions", [
      make("code", "", unlearned.command, { id: "learn-command" }),
      button("Copy", "", copyCommand),
      unlearned.can_learn ? button("Learn this site", "", learnSite, "yes") : null,
    ]),
    make("p", "muted", "", { id: "unlearned-state", role: "status" }),
  ], { ariaLabel: "Learn the site" });
  const last = banner.querySelector("button.yes");
  if (last) last.id = "learn-site";
  document.querySelector("header.bar").after(banner);
}
