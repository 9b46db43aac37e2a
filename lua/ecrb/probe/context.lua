-- Whether a long prompt arrives whole: a word stands at its beginning and is
-- asked for at its end, and the counted tokens must grow with the text. Finds
-- servers that cut prompts in silence.
local context = { name = "context" }

local WORD = "tulip-4711"
local LINE = "Sample %04d: MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ, no activity.\n"
local PILOT = 10 -- lines of the call that shows a line's tokens
local DEFAULT_TOKENS, LEAST_SHARE = 8192, 0.95

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

-- So many lines that they fill three quarters of the context.
local function lines_for(asker, per_line)
  local size = asker.model.context or DEFAULT_TOKENS
  return math.max(PILOT, math.floor(0.75 * size / (per_line or #LINE / 2)))
end

function context.run(asker)
  local none = tokens_of(asker:ask(prompt_of(0)))
  local some = tokens_of(asker:ask(prompt_of(PILOT)))
  local per_line = none and some and (some - none) / PILOT
  local lines = lines_for(asker, per_line)
  local answer = asker:ask(prompt_of(lines))
  local counted, text = tokens_of(answer), answer.outcome.text
  local expected = per_line and none + per_line * lines
  return {
    lines = lines, counted = counted, expected = expected,
    cause = answer.outcome.cause,
    found = text ~= nil and string.find(text, WORD, 1, true) ~= nil,
    whole = counted and expected and counted >= LEAST_SHARE * expected
  }
end

return context
