"use strict";
// What the page was given: bodies, shapes, loops, poses over time, plots.
const given = JSON.parse(document.getElementById("scene").textContent);
const decoded = (Kind, text) => {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
  return new Kind(bytes.buffer);
};
const times = decoded(Float32Array, given.frames.times);
const positions = decoded(Float32Array, given.frames.positions);
const turns = decoded(Int16Array, given.frames.turns);
const bodies = given.bodies, start = times[0], end = times[times.length - 1];
const moves = times.length > 1;
const element = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
};
const style = getComputedStyle(document.documentElement);
const colourOf = (name) => style.getPropertyValue(`--${name}`).trim();
const dark = matchMedia("(prefers-color-scheme: dark)").matches;

// The row before a time, and how far it is on the way to the next.
const rowAt = (time) => {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const length = times[high] - times[low];
  return { row: low, next: high, part: length > 0 ? Math.min(Math.max((time - times[low]) / length, 0), 1) : 0 };
};
