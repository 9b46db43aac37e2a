#!/usr/bin/env ecrb
-- B0: zero-shot direct generation (baseline). The model sees the enzyme, and
-- the retrieved evidence when the book is open, and writes one EC number as
-- free text: no hierarchy, no candidates, no room to abstain.

return {
  id = "b0",
  title = "Zero-shot direct generation",
  books = { "closed", "open" },
  free_text = true,
  prompts = { "b0/question" },
  options = {
    temperature = { 0, "sampling temperature", least = 0, optional = true },
    motifs = { false, "append the motif list (the prompt-matched control for M3)" },
  },
  run = function (enzyme, opt)
    local motif_list = opt.motifs and motif_text(enzyme) or ""
    return answer(ask(prompt("b0/question", {
      enzyme = about(enzyme), evidence = evidence_text(enzyme), motifs = motif_list,
    }), opt))
  end,
}
