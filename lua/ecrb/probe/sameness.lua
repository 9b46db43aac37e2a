-- The same questions again: how often the answers agree to the letter at
-- temperature 0 (the noise floor of every comparison), the answers themselves
-- for later probes, and whether a cache in between replays them.
local system = require "core.system"
local text = require "core.text"

local sameness = { name = "sameness" }

local QUESTIONS = {
  "Which bond does a glycosidase hydrolyse? Answer in one sentence.",
  "Name three cofactors of oxidoreductases, separated by commas.",
  "Write a sentence of about fifteen words on the enzyme urease.",
}
local SAMPLES = 3

-- Where the dialect refuses temperatures the default serves.
local function ask_cold(asker, question)
  local answer = asker:ask(question, { temperature = 0 })
  return answer.unmapped and asker:ask(question) or answer
end

local function answers_to(asker)
  local given = asker.rounds(#QUESTIONS, SAMPLES, function(i)
    local outcome = ask_cold(asker, QUESTIONS[i]).outcome
    return outcome.ok and outcome.text or false
  end)
  local answers = {}
  for i = 1, #QUESTIONS do
    answers[i] = {}
    for _, answer in ipairs(given[i]) do
      if answer then table.insert(answers[i], answer) end
    end
  end
  return answers
end

local function agreement(answers)
  local alike, pairs_seen = 0, 0
  for _, own in ipairs(answers) do
    for i = 1, #own do
      for j = i + 1, #own do
        pairs_seen = pairs_seen + 1
        if own[i] == own[j] then alike = alike + 1 end
      end
    end
  end
  return alike, pairs_seen
end

-- A question that nobody asked before, twice, warm: the same text in a moment
-- the second time is no sampling.
local function replayed(asker)
  local nonce = string.sub(text.sha256(tostring(system.now())
                           .. system.pid()), 1, 8)
  local question = "Reference " .. nonce .. ". Invent a sentence of about "
    .. "twenty words about a lighthouse."
  local first = asker:ask(question, { temperature = 1 })
  local second = asker:ask(question, { temperature = 1 })
  if first.unmapped or not (first.outcome.ok and second.outcome.ok) then
    return nil
  end
  return first.outcome.text == second.outcome.text
    and second.seconds < first.seconds / 4
end

function sameness.run(asker)
  local answers = answers_to(asker)
  local alike, pairs_seen = agreement(answers)
  return { answers = answers, alike = alike, pairs = pairs_seen,
           replayed = replayed(asker) }
end

return sameness
