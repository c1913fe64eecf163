// Time: play, pause, scrub, speed; what is drawn, and when.
const player = { time: start, playing: false, speed: 1, before: 0 };
const cursors = [];  // functions of the time
const digits = end - start >= 100 ? 1 : end - start >= 1 ? 2 : 4;
const icons = { play: "M2 0 14 7 2 14z", pause: "M2 0h4v14H2zM8 0h4v14H8z" };
const showTime = () => {
  element("scrub").value = player.time;
  element("clock").textContent = `${player.time.toFixed(digits)} of ${end.toFixed(digits)} s`;
  for (const cursor of cursors) cursor(player.time);
  if (stage) stage.pose(player.time);
};
let due = false;
const redraw = () => {
  if (due) return;
  due = true;
  requestAnimationFrame((now) => {
    due = false;
    if (player.playing) {
      player.time = Math.min(player.time + (player.speed * Math.min(now - player.before, 100)) / 1000, end);
      player.before = now;
      showTime();
      if (player.time >= end) setPlaying(false);
      else redraw();
    }
    if (stage) stage.draw();
  });
};
const setPlaying = (on) => {
  player.playing = on;
  player.before = performance.now();
  if (on && player.time >= end) player.time = start;
  element("play").innerHTML = `<svg viewBox="0 0 14 14" aria-hidden="true"><path d="${on ? icons.pause : icons.play}"/></svg>`;
  redraw();
};
const goTo = (time) => {
  player.time = Math.min(Math.max(time, start), end);
  showTime();
  redraw();
};
if (moves) {
  Object.assign(element("scrub"), { min: start, max: end, oninput: (e) => goTo(Number(e.target.value)) });
  element("play").onclick = () => setPlaying(!player.playing);
  for (const speed of [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]) element("speed").append(make("option", { value: speed, textContent: `${speed} ×`, selected: speed === 1 }));
  element("speed").onchange = (e) => { player.speed = Number(e.target.value); };
  document.addEventListener("keydown", (e) => {
    if (/^(INPUT|SELECT|BUTTON|TEXTAREA)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
    const { row } = rowAt(player.time);
    if (e.key === " ") setPlaying(!player.playing);
    else if (e.key === "ArrowRight") goTo(times[Math.min(row + 1, times.length - 1)]);
    else if (e.key === "ArrowLeft") goTo(times[player.time > times[row] ? row : Math.max(row - 1, 0)]);
    else return;
    e.preventDefault();
  });
}
if (stage) {
  const choices = element("choices");
  const colours = make("select", { onchange: (e) => {
    scheme = e.target.value;
    element("legend").textContent = legends[scheme];
    stage.paint();
    redraw();
  } });
  for (const [value, words] of schemes) colours.append(make("option", { value, textContent: words }));
  choices.append(make("label", {}, "colours ", colours));
  element("legend").textContent = legends[scheme];
  const tick = (key, words, then = () => {}) => {
    const box = make("input", { type: "checkbox", checked: stage.state[key], onchange: () => {
      stage.state[key] = box.checked;
      then();
      stage.paint();
      redraw();
    } });
    choices.append(make("label", {}, box, ` ${words}`));
  };
  if (given.shapes.length) tick("bones", "bones");
  if (stage.hasLoops) tick("loops", "loops");
  if (stage.hasForces) tick("forces", "forces");
  tick("grid", "grid and axes");
  if (moves) tick("follow", "follow");
  choices.append(make("button", { type: "button", textContent: "aim again", onclick: () => { stage.aim(); redraw(); } }));
  stage.controls.addEventListener("change", redraw);
  let turned = false;  // whether somebody has chosen a view, which stays
  stage.controls.addEventListener("start", () => { turned = true; });
  addEventListener("resize", () => {
    stage.fit();
    if (!turned) stage.aim();
    redraw();
  });
}
