-- Reading a model's reply. Every reading returns what was read and the span of
-- bytes that it came from. The rules, in one place:
--
--   1. Reasoning between <think> tags is no answer.
--   2. The last explicit cue wins: `ANSWER: x`, "answer": "x", \boxed{x}.
--   3. Without a cue a reading needs exactly one possibility in the text.
--   4. Several possibilities, or none, are unreadable; nothing is guessed.
--   5. A confidence is 0..1 or a percentage, its decimals behind a point or a comma;
--      outside of that, or between two numbers, it is refused, not clamped.
--
-- A reply may be megabytes of anything, and is read all the same: the patterns
-- are possessive (`*+`) where nothing could be given back in earnest, so that
-- each takes one step a byte and no memory, and what is looked for at one place
-- is looked for in a window around it. The match limit of PCRE2 is a net below.

local ec = require "core.ec"
local text = require "core.text"

local reading = {}

-- Marks that may stand around a word: Markdown, quotes, LaTeX, brackets, blanks.
local mark = [=[(?:[\s*_`"'$()\[\]{}<>]++|\\text|\\mathrm|\\mathbf|“|”|「|」|\\[()\[\]])*+]=]
local colon = [[(?::|：|=|\bis\b)]]

-- One EC number: `EC` is optional; no longer dotted number, version, date or
-- EC-inventory number may be cut down to one.
local dot = [[(?:\.|．)]]
local part = [[(?:[1-9]\d{0,4}|n[1-9]\d{0,4}|B[1-9]\d{0,4}|-)]]
local ec_token = [[(?<![\w./-])(?<!．)(?:EC(?:\s++|[:#.]|：|number|no\.)*+)?]]
  .. "([1-9](?:" .. dot .. part .. "){0,3})"
  .. [[(?!\w)(?!]] .. dot .. [[[\d-])(?!-\d)]]
local any_ec = "(?i)" .. ec_token

local not_enzyme = [[(?i)(?:\bv|\bversion\s*|\brelease\s*|\bIP(?:v4)?(?:\s+address)?\s*:?\s*|]]
  .. [[\blocalhost\s*|\bserver\s*|\bCAS\s*)$]]

local LOOK_BACK = 24 -- bytes before a place that tell what stands there

-- The text after the last closing think tag, and where it begins. An opening
-- tag that is never closed means that no answer was given.
local function after_reasoning(body)
  local from = 1
  if not string.find(body, "<", 1, true) then return from end
  for _, found in ipairs(text.all(body, [[(?i)</think(?:ing)?>]])) do from = found[2] + 1 end
  local opened = text.find(body, [[(?i)<think(?:ing)?>]], from)
  if opened then return nil end
  return from
end

-- A shorter question may well stand within an answer.
local QUESTION_BYTES = 64

local function blanked(body, question)
  if #question < QUESTION_BYTES or #body < #question then return body end
  local parts, at = {}, 1
  local first, last = string.find(body, question, 1, true)
  while first do
    parts[#parts + 1] = string.sub(body, at, first - 1)
    parts[#parts + 1] = string.rep(" ", #question)
    at = last + 1
    first, last = string.find(body, question, at, true)
  end
  return at > 1 and table.concat(parts) .. string.sub(body, at) or body
end

-- The reply with blanks wherever something that the model was told stands whole.
function reading.without_questions(body, messages)
  for _, message in ipairs(messages) do
    if message.role ~= "assistant" and #message.content <= #body then
      body = blanked(body, (text.trim(message.content)))
    end
  end
  return body
end

local function canonical(token)
  return (ec.parse((string.gsub(token, "．", "."))))
end

-- The text between two places with what patterns may look back at, where the
-- first place stands in it, and what to add to positions in it.
local function window(body, from, to)
  local before = math.max(1, from - LOOK_BACK)
  return string.sub(body, before, to), from - before + 1, before - 1
end

-- All EC numbers between two places: {ec=, first=, last=}, in order.
local function numbers_between(body, from, to)
  local found = {}
  local near, start, added = window(body, from, to)
  for _, match in ipairs(text.all(near, any_ec, start)) do
    local first, last, token = match[1], match[2], match[3]
    local before = string.sub(near, math.max(1, first - LOOK_BACK), first - 1)
    local number = not text.find(before, not_enzyme) and canonical(token)
    if number then
      found[#found + 1] = { ec = number, first = first + added, last = last + added,
                            token = token }
    end
  end
  return found
end

-- What introduces a value: one of the words, marks, a colon. Put together once
-- where the words are known: that takes longer than to look for it.
local function cue_of(names)
  return [[(?i)\b(?:]] .. names .. ")" .. mark .. colon
end

-- A word in a line of its own below the cue.
local lone_word = "^" .. mark .. [[(?:EC[\s:：]++)?[\w.%-]++[ \t*_`"'$.)\]}>]*+(?=[\r\n]|$)]]

-- Where a value ends that begins with this text: with its line, or with a lone word
-- below it.
local function end_of_value(value)
  local _, last = text.find(value, lone_word)
  return last or (string.find(value, "[\r\n]") or #value + 1) - 1
end

-- Where cue words stand: the value of each begins behind it and ends where it ends,
-- or where the next cue begins.
local function worded_cues(body, cue, from)
  local found = {}
  for i, match in ipairs(text.all(body, cue, from)) do
    found[i] = { at = match[1], first = match[2] + 1 }
  end
  local beyond = #body + 1
  for i = #found, 1, -1 do
    local place = found[i]
    place.last = place.first - 1 + end_of_value(string.sub(body, place.first, beyond - 1))
    beyond = place.at
  end
  return found
end

local box = [[\\boxed\s*\{((?:[^{}]++|\{[^{}]*+\})*+)\}]]

-- The places that explicitly hold an answer: {first=, last=} of each value.
local function cues(body, cue, from)
  local found = worded_cues(body, cue, from)
  if not string.find(body, [[\boxed]], from, true) then return found end
  for _, match in ipairs(text.all(body, box, from)) do
    found[#found + 1] = { first = match[2] - #match[3], last = match[2] - 1 }
  end
  table.sort(found, function (a, b) return a.first < b.first end)
  return found
end

local function distinct(numbers)
  if #numbers < 2 then return numbers end
  local seen, list = {}, {}
  for _, number in ipairs(numbers) do
    if not seen[number.ec] then
      seen[number.ec] = true
      list[#list + 1] = number
    end
  end
  return list
end

local function only(numbers, allowed)
  local list = {}
  for _, number in ipairs(numbers) do
    if allowed[number.ec] then list[#list + 1] = number end
  end
  return list
end

local unsure_word = [[(?i)\b(?:UNSURE|UNCERTAIN|UNKNOWN|ABSTAIN|NONE OF THE(?:SE| ABOVE)?)\b]]

local function unsure_in(body, cue)
  local near, start, added = window(body, cue.first, cue.last)
  local first, last = text.find(near, unsure_word, start)
  if first then return { unsure = true, first = first + added, last = last + added } end
end

local confidence_number = "^" .. mark .. [[(?:(?:about|approximately|roughly|ca\.|~|≈)\s*)?]]
  .. [[([+-]?(?:\d++(?:\.\d*+|,\d++)?+|\.\d++))\s*+(%|％|\\%|percent\b)?+(?![\w.,]*\d)]]
  .. [[(?!\s*/)(?!\s*(?:-|–|to\b)\s*[\d.])]]

-- A number between 0 and 1 out of `0.8`, `80%`, `.8`, `0.8 (fairly sure)`.
-- Returns it, or nil and the reason.
function reading.confidence_value(value)
  local _, _, digits, percent = text.find(value, confidence_number)
  local number = digits and tonumber((string.gsub(digits, ",", ".")))
  if not number then return nil, "it is no number" end
  if percent and percent ~= "" then number = number / 100 end
  if number < 0 or number > 1 then return nil, "it lies outside 0..1" end
  return number
end

local confidence_cue = cue_of "CONFIDENCE(?: score| level)?|CONF"

-- The value that stands in a place, without the marks around it, and its span.
local function trimmed(body, place, marks)
  local kept, first = text.trim(string.sub(body, place.first, place.last), marks)
  first = place.first + first - 1
  return kept, { first = first, last = first + #kept - 1 }
end

-- The last stated confidence: value, span; or nil, the reason.
function reading.confidence(body)
  local from = after_reasoning(body)
  if not from then return nil, "the reply ends inside its reasoning" end
  local list = cues(body, confidence_cue, from)
  for i = #list, 1, -1 do
    local cue = list[i]
    if string.sub(body, cue.first - 1, cue.first - 1) ~= "{" then
      local stated, span = trimmed(body, cue)
      local value, reason = reading.confidence_value(stated)
      if value then return value, span end
      return nil, "stated confidence refused: " .. reason
    end
  end
  return nil, "no confidence stated"
end

local choice_cue = cue_of "(?:final )?answer|EC(?: number)?|choice|decision"

local function allowed_set(candidates)
  local allowed = {}
  for _, candidate in ipairs(candidates) do allowed[candidate.ec] = true end
  return allowed
end

local function one_of(numbers, place)
  local list = distinct(numbers)
  if #list == 1 then return list[1] end
  if #list == 0 then return nil, place .. " names none of the candidates" end
  return nil, place .. " names several candidates"
end

local more_word = "^" .. mark .. [[\K(?i)MORE\b]]

-- `ANSWER: MORE`, where the candidates have further pages.
local function more_in(body, cue, candidates)
  if not candidates.more then return nil end
  local value = string.sub(body, cue.first, cue.last)
  local first, last = text.find(value, more_word)
  local added = cue.first - 1
  return first and { more = true, first = first + added, last = last + added } or nil
end

-- The choice among candidates ({ec=}...). Returns {ec=}, {unsure=true} or
-- {more=true}, each with first and last; or nil and why it cannot be read.
function reading.choice(body, candidates)
  local from = after_reasoning(body)
  if not from then return nil, "the reply ends inside its reasoning" end
  local allowed = allowed_set(candidates)
  local list = cues(body, choice_cue, from)
  local cue = list[#list]
  if cue then
    local numbers = numbers_between(body, cue.first, cue.last)
    local word = unsure_in(body, cue) or more_in(body, cue, candidates)
    if #numbers == 0 and word then return word end
    return one_of(only(numbers, allowed), "the answer line")
  end
  local whole = { first = from, last = #body }
  local numbers = only(numbers_between(body, from, #body), allowed)
  local unsure = unsure_in(body, whole)
  if unsure and #numbers == 0 then return unsure end
  if unsure then return nil, "the reply names a candidate and UNSURE, and no answer line" end
  return one_of(numbers, "the reply")
end

local action_cue, final_cue = cue_of "action|call|tool", cue_of "(?:final )?answer"

-- The channel that the reply asks for, of those on the menu; nil if it asks for
-- none. The later of an ACTION and an ANSWER line counts.
function reading.action(body, menu)
  local from = #menu > 0 and after_reasoning(body)
  if not from then return nil end
  local actions = cues(body, action_cue, from)
  local answers = cues(body, final_cue, from)
  local action, answer = actions[#actions], answers[#answers]
  if not action or (answer and answer.first > action.first) then return nil end
  local value = string.lower(string.sub(body, action.first, action.last))
  for _, channel in ipairs(menu) do
    local first, last = text.find(value, [[(?<![\w-])\Q]] .. channel .. [[\E(?![\w-])]])
    if first then
      return channel, { first = action.first + first - 1, last = action.first + last - 1 }
    end
  end
end

-- Numbers that can stand for an answer without a cue: four parts, or `EC`
-- before them, or a dash in them. `1.1` alone is as often a measurement.
local function explicit(body, numbers)
  local list = {}
  for _, number in ipairs(numbers) do
    local named = text.find(string.sub(body, number.first, number.last), "(?i)^EC")
    local _, dots = string.gsub(string.gsub(number.token, "．", "."), "%.", "")
    if dots == 3 or (named and dots > 0) then list[#list + 1] = number end
  end
  return list
end

local function free_result(numbers)
  local list = distinct(numbers)
  local result = { ec = list[1].ec, first = list[1].first, last = list[1].last }
  if #list > 1 then
    result.others = {}
    for i = 2, #list do result.others[i - 1] = list[i].ec end
  end
  return result
end

local answer_cue = cue_of "(?:final )?answer|EC(?: number)?"

-- A free-text EC number. Returns {ec=, first=, last=, others=}, {unsure=true},
-- or nil and why. Where an answer line lists several, the first counts and the
-- rest is kept under `others`.
function reading.answer(body)
  local from = after_reasoning(body)
  if not from then return nil, "the reply ends inside its reasoning" end
  local list = cues(body, answer_cue, from)
  for i = #list, 1, -1 do
    local numbers = numbers_between(body, list[i].first, list[i].last)
    if #numbers > 0 then return free_result(numbers) end
    local unsure = unsure_in(body, list[i])
    if unsure then return unsure end
  end
  local numbers = distinct(explicit(body, numbers_between(body, from, #body)))
  if #numbers == 1 then return free_result(numbers) end
  if #numbers > 1 then return nil, "several EC numbers and no answer line" end
  return nil, "no EC number in the reply"
end

local list_cue = cue_of "(?:final )?answers?|EC(?: numbers?)?"

-- The place of a list: the last answer line, or, where the line holds no EC
-- number, what follows it; without an answer line the whole reply.
local function list_places(body, from)
  local list = cues(body, list_cue, from)
  local cue = list[#list]
  if not cue then return {} end
  return { cue, { first = cue.first, last = #body } }
end

-- Whether there is nothing but EC numbers, commas, numbering and blanks.
local function only_a_list(body, from, numbers)
  local rest, at = {}, from
  for _, number in ipairs(numbers) do
    rest[#rest + 1] = string.sub(body, at, number.first - 1)
    at = number.last + 1
  end
  rest[#rest + 1] = string.sub(body, at)
  return text.find(table.concat(rest), [[^[\s\d,;.*()\[\]`'"-]*$]]) ~= nil
end

-- A ranked list of complete or partial EC numbers, best first: {{ec=, first=,
-- last=}...}, each once; {unsure=true}; or nil and why.
function reading.ranking(body)
  local from = after_reasoning(body)
  if not from then return nil, "the reply ends inside its reasoning" end
  for _, place in ipairs(list_places(body, from)) do
    local numbers = explicit(body, numbers_between(body, place.first, place.last))
    if #numbers > 0 then return distinct(numbers) end
    local unsure = unsure_in(body, place)
    if unsure then return unsure end
  end
  local numbers = explicit(body, numbers_between(body, from, #body))
  if #numbers == 0 then return nil, "no EC number in the reply" end
  if #numbers > 1 and not only_a_list(body, from, numbers) then
    return nil, "several EC numbers and no answer line"
  end
  return distinct(numbers)
end

-- The last line `NAME: value` of a reply, without marks: value, span; or nil.
function reading.field(body, name)
  local from = after_reasoning(body) or 1
  local list = cues(body, cue_of([[\Q]] .. name .. [[\E]]), from)
  for i = #list, 1, -1 do
    local kept, span = trimmed(body, list[i], " \t\r\n\v\f*_`\"")
    if kept ~= "" then return kept, span end
  end
end

return reading
