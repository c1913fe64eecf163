// Names, facts and notes.
document.title = `${given.name}: ${moves ? "motion" : "configuration"}`;
element("name").textContent = given.name;
element("facts").textContent = given.facts.map(([name, value]) => `${name}: ${value}`).join(" · ");
for (const note of given.notes) element("notes").append(make("li", { textContent: note }));
if (!moves) element("transport").className = "none";
if (!moves || !given.plots.length) {  // before the view is measured
  element("plots").className = "none";
  element("halves").className = "alone";
}
