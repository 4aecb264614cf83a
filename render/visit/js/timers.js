/* Records what the page has scheduled: timers, idle callbacks, animation frames, intervals. It runs in the page's own world before the page's
   scripts, and answers an event of a name that they cannot know with one whose detail is a JSON string. The functions it replaces are
   proxies of the browser's own: arguments, results and errors are the same. The page may override any built-in afterwards, so what runs later
   calls only those kept here, iterates over no array (no spread, no destructuring), and inherits from no prototype. */
(name) => {
  "use strict";

  const MOST = 1000; // of each kind that are recorded
  const LEAST = 30; // ms: shorter timers are over before anyone looks
  const LONGEST = 2 ** 31 - 1; // ms: longer delays overflow, and run at once
  const clock = performance.now.bind(performance);
  const { apply } = Reflect;
  const { has, add } = WeakSet.prototype;
  const { ceil } = Math;
  const Reply = CustomEvent;
  const reply = document.dispatchEvent.bind(document);
  const polls = new WeakSet(); // callbacks that were given before: of a loop, which nothing waits for

  const makeRecord = () => ({ __proto__: null, count: 0, times: { __proto__: null } });
  const due = makeRecord(); // one-shot timers: when they are due, by id
  const intervals = makeRecord();
  const frames = makeRecord();
  const idle = makeRecord();
  const note = (record, id, time) => {
    if (!(id in record.times)) record.count++;
    record.times[id] = time;
  };
  const forget = (record, id) => {
    if (typeof id !== "number" || !(id in record.times)) return;
    record.count--;
    delete record.times[id];
  };

  const replace = (key, call) => {
    const original = window[key];
    if (typeof original === "function") window[key] = new Proxy(original, { __proto__: null, apply: call });
  };
  const isPoll = (callback) => {
    const known = apply(has, polls, [callback]);
    apply(add, polls, [callback]);
    return known;
  };
  /* Call the browser's own function with a callback that is forgotten when it runs, and note it. */
  const schedule = (record, target, self, list, time) => {
    const callback = list[0];
    list[0] = function (...given) {
      forget(record, id);
      return apply(callback, this, given);
    };
    const id = apply(target, self, list);
    note(record, id, time);
    return id;
  };
  replace("setTimeout", (target, self, list) => {
    const callback = list[0];
    const delay = list.length > 1 ? list[1] : 0;
    const isLong = typeof delay === "number" && delay >= LEAST && delay <= LONGEST;
    if (typeof callback !== "function" || !isLong || due.count >= MOST || isPoll(callback)) return apply(target, self, list);
    return schedule(due, target, self, list, clock() + delay);
  });
  replace("setInterval", (target, self, list) => {
    const id = apply(target, self, list);
    if (intervals.count < MOST) note(intervals, id, 0);
    return id;
  });
  for (const key of ["clearTimeout", "clearInterval"]) {
    replace(key, (target, self, list) => {
      if (list.length > 0) {
        forget(due, list[0]);
        forget(intervals, list[0]);
      }
      return apply(target, self, list);
    });
  }
  const track = (key, cancel, record) => {
    replace(key, (target, self, list) => {
      if (typeof list[0] !== "function" || record.count >= MOST) return apply(target, self, list);
      return schedule(record, target, self, list, 0);
    });
    replace(cancel, (target, self, list) => {
      if (list.length > 0) forget(record, list[0]);
      return apply(target, self, list);
    });
  };
  track("requestIdleCallback", "cancelIdleCallback", idle);
  track("requestAnimationFrame", "cancelAnimationFrame", frames);

  document.addEventListener(name, () => {
    const now = clock();
    let times = "";
    for (const id in due.times) {
      const left = ceil(due.times[id] - now);
      times += `${times && ","}${left > 0 ? left : 0}`;
    }
    const detail = `{"due": [${times}], "idle": ${idle.count > 0}, "repeats": ${intervals.count + frames.count > 0}}`;
    reply(new Reply(`${name}-reply`, { __proto__: null, detail }));
  });
}
