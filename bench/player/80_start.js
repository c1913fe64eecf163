// The first picture: at a time that the address may name (trajectory.html#t=2.5).
const asked = /^#t=([0-9.eE+-]+)$/.exec(location.hash);
if (stage) stage.aim();
setPlaying(false);
goTo(asked && isFinite(Number(asked[1])) ? Number(asked[1]) : start);
