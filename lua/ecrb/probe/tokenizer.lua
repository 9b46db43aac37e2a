-- Which tokenizer counts the prompts. A unit of text is sent 0 to 3 times; the
-- slope of `usage.prompt_tokens` is the unit's length in tokens, whatever
-- stands before it. Equal slopes do not prove equal models; different ones
-- prove different tokenizers.
local tokenizer = { name = "tokenizer" }

local UNITS = {
  { name = "protein", text = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n" },
  { name = "Chinese", text = "酶催化反应\n" },
  { name = "emoji", text = "\u{1f9ec}\u{1f9eb}\u{1f52c}\n" },
  { name = "rare", text = "\u{16a0}\u{16b1}\u{2c00}\u{a4d0}\n" },
}
local COPIES = 3

local function count(asker, unit, copies)
  local question = "Ignore these lines and answer yes.\n"
    .. string.rep(unit.text, copies)
  local outcome = asker:ask(question, { max_tokens = 16 }).outcome
  return outcome and outcome.usage and outcome.usage.prompt
end

-- The mean step, and whether all steps are equal; nil with a count missing.
local function slope(counts)
  local even = true
  for i = 1, COPIES do
    if not counts[i] or not counts[i + 1] then return nil, nil end
    even = even and counts[i + 1] - counts[i] == counts[2] - counts[1]
  end
  return (counts[COPIES + 1] - counts[1]) / COPIES, even
end

function tokenizer.run(asker)
  local counts = asker.rounds(#UNITS, COPIES + 1, function(i, round)
    return count(asker, UNITS[i], round - 1) or false
  end)
  local results = {}
  for i, unit in ipairs(UNITS) do
    local step, even = slope(counts[i])
    results[i] = { unit = unit.name, slope = step, even = even }
  end
  return results
end

return tokenizer
