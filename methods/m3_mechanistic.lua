#!/usr/bin/env ecrb
-- M3: mechanistic chain of thought (reasoning structure). One generation that
-- reasons along the four axes of the EC number in order, anchored to motifs of
-- the sequence that are weak priors, not facts; the answer is free text.

return {
  id = "m3",
  title = "Mechanistic chain of thought",
  books = { "closed", "open" },
  free_text = true,
  prompts = { "m3/question" },
  options = { temperature = { 0, "sampling temperature", least = 0, optional = true } },
  run = function (enzyme, opt)
    return answer(ask(prompt("m3/question", {
      enzyme = about(enzyme), evidence = evidence_text(enzyme), motifs = motif_text(enzyme),
    }), opt))
  end,
}
