// How many bodies so many threads need, in words.
if (data.isoefficiency) {
  const s = section("Isoefficiency",
    "How large a mechanism must be for so many threads to be half used (Grama, Gupta and Kumar 1993): the best algorithm on them over the best on one. Predictions are of the machine model, and orders of magnitude; measured is between the largest size that has less for certain and the next that has it for certain.");
  for (const family of data.isoefficiency) s.append(element("p", { class: "answer" }, family.sentence));
}
