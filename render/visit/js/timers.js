/* Records what the page has scheduled: timers, idle callbacks, animation frames, intervals. It runs in the page's own world before the page's
   scripts, and answers an event of a name that they cannot know with one whose detail is a JSON string. The functions it replaces are
   proxies of the browser's own: arguments, results and errors are the same. */
(name) => {
  "use strict";

  const MOST = 1000; // of each kind that are recorded
  const LEAST = 30; // ms: shorter timers are over before anyone looks
  const clock = performance.now.bind(performance);
  const { apply } = Reflect;
  const { stringify } = JSON;
  const Reply = CustomEvent;
  const reply = document.dispatchEvent.bind(document);
  const due = new Map(); // one-shot timers: when they are due
  const polls = new WeakSet(); // callbacks that were given before: of a loop, which nothing waits for
  const repeats = new Set(); // intervals and animation frames
  const idle = new Set();

  const replace = (key, call) => {
    const original = window[key];
    if (typeof original === "function") window[key] = new Proxy(original, { apply: call });
  };
  const isPoll = (callback) => {
    const known = polls.has(callback);
    polls.add(callback);
    return known;
  };
  replace("setTimeout", (target, self, list) => {
    const [callback, delay, ...rest] = list;
    const isRecorded = typeof callback === "function" && typeof delay === "number" && delay >= LEAST && due.size < MOST;
    if (!isRecorded || isPoll(callback)) return apply(target, self, list);
    const run = function (...given) {
      due.delete(id);
      return apply(callback, this, given);
    };
    const id = apply(target, self, [run, delay, ...rest]);
    due.set(id, clock() + delay);
    return id;
  });
  replace("setInterval", (target, self, list) => {
    const id = apply(target, self, list);
    if (repeats.size < MOST) repeats.add(id);
    return id;
  });
  for (const key of ["clearTimeout", "clearInterval"]) {
    replace(key, (target, self, list) => {
      due.delete(list[0]);
      repeats.delete(list[0]);
      return apply(target, self, list);
    });
  }
  const track = (key, cancel, kept, label) => {
    replace(key, (target, self, list) => {
      const [callback, ...rest] = list;
      if (typeof callback !== "function" || kept.size >= MOST) return apply(target, self, list);
      const run = function (...given) {
        kept.delete(`${label}${id}`);
        return apply(callback, this, given);
      };
      const id = apply(target, self, [run, ...rest]);
      kept.add(`${label}${id}`);
      return id;
    });
    replace(cancel, (target, self, list) => {
      kept.delete(`${label}${list[0]}`);
      return apply(target, self, list);
    });
  };
  track("requestIdleCallback", "cancelIdleCallback", idle, "idle");
  track("requestAnimationFrame", "cancelAnimationFrame", repeats, "frame");

  document.addEventListener(name, () => {
    const now = clock();
    const times = [...due.values()].map((time) => Math.max(0, Math.ceil(time - now)));
    reply(new Reply(`${name}-reply`, { detail: stringify({ due: times, idle: idle.size > 0, repeats: repeats.size > 0 }) }));
  });
}
