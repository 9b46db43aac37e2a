#!/usr/bin/env ecrb
-- Draft and verify: a sixth method, to copy from. The model drafts an EC number
-- as free text; then the tree tells it whether that number exists and what its
-- siblings are, and the model keeps it, mends it or withdraws it.
--
--   ecrb examples/verify.lua --split price

local function siblings(number)
  local parent, list = ec.prefix(number, 3), {}
  if not known(parent) then return "its sub-subclass does not exist" end
  for _, node in ipairs(children(parent)) do list[#list + 1] = node end
  return table.concat(list, " ")
end

return {
  id = "verify",
  title = "Draft and verify",
  books = { "closed", "open" },
  free_text = true,
  prompts = { "b0/question", "verify/check" },
  options = { temperature = { 0, "sampling temperature", least = 0, optional = true } },
  run = function (enzyme, opt)
    local question = prompt("b0/question", {
      enzyme = about(enzyme), evidence = evidence_text(enzyme), motifs = "",
    })
    local draft = answer(ask(question, opt))
    local number = draft.path[#draft.path]
    if not number then return draft end
    note("draft", number)
    return answer(ask(prompt("verify/check", {
      enzyme = about(enzyme), evidence = evidence_text(enzyme), draft = number,
      exists = known(number) and "yes" or "no", siblings = siblings(number),
    }), opt))
  end,
}
