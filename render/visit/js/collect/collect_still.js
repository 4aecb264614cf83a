/* What is chance at the moment of reading, brought to where it stays. */
(dom) => {
  "use strict";

  const CHAIN = 5; // rounds: what inherits a colour that fades begins to fade when that has ended
  const SIZED = 'img[sizes^="auto" i]'; // to be as wide as its own box, which is known once a frame has been drawn
  const AUTO = /^auto\s*,?\s*/i;
  const unsized = new Set(); // such images that are not there; they have the size then that the page gives them

  const size = (root) => {
    for (const image of dom.selectAll(root, SIZED)) {
      if (image.naturalWidth > 0) continue;
      image.sizes = image.sizes.replace(AUTO, "");
      unsized.add(image);
    }
  };

  /* Bring what moves to its end, and what has no end to its beginning; return whether anything moved. */
  const stop = (root) => {
    const moving = root.getAnimations().filter((animation) => animation.playState === "running");
    for (const animation of moving) {
      try {
        if (animation.effect.getComputedTiming().endTime < Infinity) animation.finish();
        else {
          animation.pause();
          animation.currentTime = 0;
        }
      } catch {
        continue; // scrolling moves it, not time
      }
    }
    return moving.length > 0;
  };

  const still = (root) => {
    size(root);
    for (let round = 0; round < CHAIN && stop(root); round += 1);
  };

  return { still, unsized };
}
