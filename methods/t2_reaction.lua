#!/usr/bin/env ecrb
-- T2: reaction in, EC out (CARE's task 2). The model sees a reaction, in words
-- as CARE showed it or as SMILES, and writes the likeliest EC numbers as a list.
-- The text that may go with it comes from the label's own entry in a database:
-- with it the task is to find the number of a class that is told in words.

return {
  id = "t2",
  title = "Reaction to EC number",
  books = { "closed" },
  items = "reactions",
  free_text = true,
  prompts = { "t2/question" },
  options = {
    k = { 10, "how many EC numbers to ask for", whole = true, least = 1 },
    shown = { "words", "the reaction in words, as SMILES, or both",
              one_of = { "words", "smiles", "both" } },
    text = { false, "show the text that CARE associates with the reaction" },
    temperature = { 0, "sampling temperature", least = 0, optional = true },
  },
  run = function (reaction, opt)
    return ranking(ask(prompt("t2/question", {
      reaction = reaction_text(reaction, opt.shown, opt.text), k = opt.k,
    }), opt), opt.k)
  end,
}
