-- Whether a long prompt arrives whole: a word stands at its beginning and is
-- asked for at its end, and the counted tokens must grow with the text. Finds
-- servers that cut prompts in silence. The count decides; the word speaks only
-- where nothing is counted, because a model may fail to repeat it.
local context = { name = "context" }

local WORD = "tulip-4711"
local LINE = "Sample %04d: MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ, no activity.\n"
local PILOT = 10 -- lines more in each short prompt
local DEFAULT_TOKENS = 8192
local LONGEST_TOKEN = 16 -- bytes: longer than any in such lines
local LEAST_TOLERANCE = 0.02 -- of the expected tokens

local function prompt_of(lines)
  local parts = { "The password is " .. WORD .. ".\n" }
  for i = 1, lines do parts[#parts + 1] = string.format(LINE, i) end
  parts[#parts + 1] = "What is the password? Answer with it alone."
  return table.concat(parts)
end

local function tokens_of(answer)
  local usage = answer.outcome.usage
  return usage and usage.prompt
end

local function finds_word(answer)
  local text = answer.outcome.text
  return text ~= nil and string.find(text, WORD, 1, true) ~= nil
end

-- From three short prompts: tokens of none of the lines and of one, and by how
-- much the tokens of one differ between the two halves; nil where the server does
-- not count what it is sent.
local function slope_of(counts)
  for _, count in ipairs(counts) do
    if not count then return nil end
  end
  local first, second = counts[2] - counts[1], counts[3] - counts[2]
  if first + second < 2 * PILOT * #LINE / LONGEST_TOKEN then return nil end
  return counts[1], (first + second) / (2 * PILOT),
    math.abs(second - first) / PILOT
end

-- So many lines that they fill three quarters of the context.
local function lines_for(asker, per_line)
  local size = asker.model.context or DEFAULT_TOKENS
  return math.max(PILOT, math.floor(0.75 * size / (per_line or #LINE / 2)))
end

-- Tokens that a long prompt should have, and how many may be missing: what the
-- uncertain length of a line comes to over all lines, and two percent in any case.
local function expectation(none, per_line, spread, lines)
  if not none then return nil end
  local expected = none + per_line * lines
  return expected, math.max(LEAST_TOLERANCE * expected, spread * lines)
end

function context.run(asker)
  local short, counts = {}, {}
  for i = 1, 3 do
    short[i] = asker:ask(prompt_of((i - 1) * PILOT))
    counts[i] = tokens_of(short[i]) or false
  end
  local none, per_line, spread = slope_of(counts)
  local lines = lines_for(asker, per_line)
  local answer = asker:ask(prompt_of(lines))
  local counted = tokens_of(answer)
  local expected, tolerance = expectation(none, per_line, spread, lines)
  return {
    lines = lines, counted = counted, expected = expected,
    tolerance = tolerance, cause = answer.outcome.cause,
    found = finds_word(answer), found_short = finds_word(short[1]),
    whole = counted and expected and counted >= expected - tolerance,
  }
end

return context
