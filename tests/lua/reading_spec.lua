-- Reading replies: each case is a kind that people reported.

local reading = require "ecrb.reading"

local function candidates(...)
  local list = {}
  for i, ec in ipairs { ... } do list[i] = { ec = ec } end
  return list
end

describe("a question that comes back", function ()
  local question = "Which of them is the class of this enzyme? End with one line:\n"
    .. "ANSWER: 1.1.1.1 or UNSURE\n"
  local asked = { { role = "user", content = question },
                  { role = "assistant", content = question },
                  { role = "user", content = "Say it again." } }
  local blank = string.rep(" ", #question - 1) .. "\n"

  it("is no answer", function ()
    local body = reading.without_questions("You said: " .. question .. question, asked)
    assert.equal("You said: " .. blank .. blank, body)
    assert.is_nil((reading.answer(body)))
  end)

  it("leaves what stands behind it in its place", function ()
    local reply = question .. "ANSWER: 2.7.1.1"
    local result = reading.answer(reading.without_questions(reply, asked))
    assert.equal("2.7.1.1", result.ec)
    assert.equal("2.7.1.1", string.sub(reply, result.first, result.last))
  end)

  it("is another one where a part of it is missing, or where it is short", function ()
    for _, reply in ipairs { string.sub(question, 2), "Say it again. ANSWER: 2.7.1.1" } do
      assert.equal(reply, reading.without_questions(reply, asked))
    end
  end)
end)

-- text, what must be read ("UNSURE" or an EC), or false for unreadable
local free = {
  { "ANSWER: 1.1.1.1", "1.1.1.1" },
  { "Answer: 1.1.1.1 ... on reflection, Answer: 1.2.1.3", "1.2.1.3" },
  { "I first thought of 1.1.1.1.\nANSWER: 2.7.1.30", "2.7.1.30" },
  { "<think>perhaps 2.7.1.1</think> Final: EC 3.1.3.9", "3.1.3.9" },
  { "perhaps ANSWER: 2.7.1.1</think>ANSWER: 3.1.3.9", "3.1.3.9" },
  { "<think>ANSWER: 2.7.1.1", false },
  { "The enzyme is 2.3.1.85.", "2.3.1.85" },
  { "EC2.7.1.1", "2.7.1.1" },
  { "EC:2.7.1.1", "2.7.1.1" },
  { "(EC 2.7.1.1)", "2.7.1.1" },
  { "ec 2.7.1.1", "2.7.1.1" },
  { "EC number: **2.7.1.1**", "2.7.1.1" },
  { "**ANSWER:** `1.1.1.1`", "1.1.1.1" },
  { "- **Answer**: EC 1.1.1.1", "1.1.1.1" },
  { "The final answer is $\\boxed{1.1.1.1}$", "1.1.1.1" },
  { "\\boxed{\\text{EC 1.1.1.1}}", "1.1.1.1" },
  { "ANSWER：1．1．1．1", "1.1.1.1" },
  { '{"reasoning": "1.1.1.2?", "answer": "1.1.1.1"}', "1.1.1.1" },
  { "ANSWER: 2.1.1.n7", "2.1.1.n7" },
  { "ANSWER: 2.4.2.B21", "2.4.2.B21" },
  { "ANSWER: 2.5.1.-", "2.5.1.-" },
  { "ANSWER: 3.2.-.-", "3.2.-.-" },
  { "ANSWER: EC 1.1.1", "1.1.1.-" },
  { "EC 231-791-2 is water; the enzyme is EC 3.1.1.7", "3.1.1.7" },
  { "BLAST v2.12.0.1 found 1.1.1.1", "1.1.1.1" },
  { "server at IP 4.3.2.1, enzyme 1.1.1.1", "1.1.1.1" },
  { "7.1.3.1.1", false },
  { "Released 3.11.2024, identity 1.1", false },
  { "2.8.ab a real protein?", false },
  { "3_4_5_6 or a.b.c.d", false },
  { "1.1.1.1 or maybe 2.2.1.1", false },
  { "ANSWER: UNSURE", "UNSURE" },
  { "I cannot tell.", false },
  { "", false },
  { "ANSWER:", false },
  { "ANSWER: 1.1.1.1\n\nI hope that helps!", "1.1.1.1" },
  { "ANSWER: 192.168.1.1", false },
}

local among = { "1.1.-.-", "1.2.-.-", "1.14.-.-", "2.7.-.-" }

local choices = {
  { "ANSWER: 1.1.-.-\nCONFIDENCE: 0.9", "1.1.-.-" },
  { "ANSWER: 1.1", "1.1.-.-" },
  { "ANSWER: EC 1.14.-.-", "1.14.-.-" },
  { "ANSWER: EC: 1.14.-.-", "1.14.-.-" },
  { "EC number: 1.14.-.-", "1.14.-.-" },
  { "Not 1.2.-.-. ANSWER: 1.1.-.-", "1.1.-.-" },
  { "ANSWER: 1.1.-.-\nno, wait\nANSWER: 1.2.-.-", "1.2.-.-" },
  { "ANSWER: UNSURE", "UNSURE" },
  { "**ANSWER: UNSURE**", "UNSURE" },
  { "ANSWER: 1.1.-.- or 1.2.-.-", false },
  { "ANSWER: 3.1.-.-", false },
  { "ANSWER: 1.1.1.1", false },
  { "I choose 2.7.-.- here.", "2.7.-.-" },
  { "Either 1.1.-.- or 2.7.-.-.", false },
  { "2.7.-.- perhaps, but UNSURE", false },
  { "UNSURE", "UNSURE" },
  { "It is an oxidoreductase.", false },
  { "**Answer:**\n\n**EC 1.14.-.-**\n", "1.14.-.-" },
  { "1.1.-.- or 2.7.-.-?\r\nANSWER:\r\n2.7.-.-\r\nCONFIDENCE: 0.7", "2.7.-.-" },
  { "1.1.-.- or 2.7.-.-?\nANSWER:\nUNSURE", "UNSURE" },
  { "ANSWER:\n1.1.-.- because it reduces", false },
  { "ANSWER:\n\nI weighed 1.1.-.- against the rest.", false },
}

local confidences = {
  { "CONFIDENCE: 0.8", 0.8 },
  { "CONFIDENCE: 80%", 0.8 },
  { "CONFIDENCE: 80 %", 0.8 },
  { "confidence: 0.8 (fairly sure)", 0.8 },
  { "Confidence score = .85", 0.85 },
  { "**CONFIDENCE:** 0.9", 0.9 },
  { '{"confidence": 0.7}', 0.7 },
  { "CONFIDENCE: 1", 1 },
  { "CONFIDENCE: 0", 0 },
  { "CONFIDENCE: 100%", 1 },
  { "CONFIDENCE: about 0.6", 0.6 },
  { "CONFIDENCE: 0.2\nCONFIDENCE: 0.3", 0.3 },
  { "CONFIDENCE: 7", nil },
  { "CONFIDENCE: 1.2", nil },
  { "CONFIDENCE: -0.2", nil },
  { "CONFIDENCE: 150%", nil },
  { "CONFIDENCE: 0,85", 0.85 },
  { "CONFIDENCE: 72,5 %", 0.725 },
  { "CONFIDENCE: 0.8, as 2 channels agree", 0.8 },
  { "**Confidence:**\n\n0.75\n", 0.75 },
  { "CONFIDENCE: 0.7-0.9", nil },
  { "CONFIDENCE: 70% to 90%", nil },
  { "CONFIDENCE: 0,8,1", nil },
  { "CONFIDENCE: high", nil },
  { "CONFIDENCE: 7/10", nil },
  { "CONFIDENCE: 1./2", nil },
  { "CONFIDENCE: 0.5%/2", nil },
  { "CONFIDENCE: nan", nil },
  { "no word of it", nil },
}

describe("a free-text answer", function ()
  for _, case in ipairs(free) do
    it("in " .. string.format("%q", case[1]), function ()
      local result = reading.answer(case[1])
      local got = result and (result.unsure and "UNSURE" or result.ec) or false
      assert.equal(case[2], got)
    end)
  end

  it("keeps the other numbers of its answer line", function ()
    local result = reading.answer("ANSWER: 2.7.1.26; 2.7.7.2")
    assert.equal("2.7.1.26", result.ec)
    assert.same({ "2.7.7.2" }, result.others)
  end)

  it("names the span that it came from", function ()
    local body = "thinking...\nANSWER: EC 1.1.1.1."
    local result = reading.answer(body)
    assert.equal("EC 1.1.1.1", string.sub(body, result.first, result.last))
  end)
end)

describe("a choice", function ()
  for _, case in ipairs(choices) do
    it("in " .. string.format("%q", case[1]), function ()
      local result = reading.choice(case[1], candidates(table.unpack(among)))
      local got = result and (result.unsure and "UNSURE" or result.ec) or false
      assert.equal(case[2], got)
    end)
  end
end)

describe("a wish for more", function ()
  local pages = candidates(table.unpack(among))
  pages.more = true

  it("stands where the answer begins, however far behind it ends", function ()
    assert.is_true(reading.choice("ANSWER: **MORE**", pages).more)
    assert.is_nil((reading.choice("ANSWER: no MORE", pages)))
    assert.is_nil((reading.choice("ANSWER:" .. string.rep("x", 64) .. "MORE", pages)))
    assert.is_nil((reading.choice("ANSWER: MORE", candidates(table.unpack(among)))))
  end)
end)

describe("a confidence", function ()
  for _, case in ipairs(confidences) do
    it("in " .. string.format("%q", case[1]), function ()
      assert.equal(case[2], (reading.confidence(case[1])))
    end)
  end
end)

describe("an action", function ()
  local menu = { "blast", "hmmer", "active_site" }
  local cases = {
    { "ACTION: blast", "blast" },
    { "HYPOTHESIS: x\nENOUGH: no\n**ACTION:** `hmmer`", "hmmer" },
    { "ACTION: active_site", "active_site" },
    { "ACTION: blast\nANSWER: 1.1.-.-", nil },
    { "ANSWER: 1.1.-.-\nACTION: blast", "blast" },
    { "ACTION: esm_knn", nil },
    { "ACTION: blastx", nil },
    { "ANSWER: 1.1.-.-", nil },
  }
  for _, case in ipairs(cases) do
    it("in " .. string.format("%q", case[1]), function ()
      assert.equal(case[2], (reading.action(case[1], menu)))
    end)
  end
end)

-- Of 300 kilobytes each: what a pattern that gives back byte by byte, or a look
-- from the reply's beginning for each of its lines, cannot read.
local function long(part)
  return string.rep(part, 300000 // #part)
end

local hostile = {
  { "ANSWER:" .. long " " .. "1.1.-.-", "1.1.-.-" },
  { "ANSWER" .. long " " .. ": 1.1.-.-", "1.1.-.-" },
  { "ANSWER" .. long "\\text" .. ": 1.1.-.-", "1.1.-.-" },
  { "ANSWER: EC" .. long " " .. "1.1.-.-", "1.1.-.-" },
  { "ANSWER: EC" .. long "number" .. "1.1.-.-", "1.1.-.-" },
  { "ANSWER" .. long " ", false },
  { "\\boxed{" .. long "a" .. " 1.1.-.-}", "1.1.-.-" },
  { "\\boxed{" .. long "\\boxed{}", false },
  { long "\\boxed{", false },
  { long "\\boxed {x} ", false },
  { long "ANSWER: \n" .. "ANSWER: 1.1.-.-", "1.1.-.-" },
  { long "ANSWER: UNSURE\n", "UNSURE" },
  { long "the answer is ", false },
  { long "1.1.", false },
  { long "1", false },
  { long "EC", false },
  { long "\xFF" .. "ANSWER: 1.1.-.-", "1.1.-.-" },
  { long "</think>" .. "ANSWER: 1.1.-.-", "1.1.-.-" },
  { long "<think>", false },
  { "ANSWER: " .. long "NONE OF THE ", "UNSURE" },
}

describe("a hostile reply", function ()
  for _, case in ipairs(hostile) do
    it("of much " .. string.format("%q", string.sub(case[1], 1, 24)), function ()
      local choice = reading.choice(case[1], candidates(table.unpack(among)))
      local answer = reading.answer(case[1])
      assert.equal(case[2], choice and (choice.unsure and "UNSURE" or choice.ec) or false)
      assert.equal(case[2], answer and (answer.unsure and "UNSURE" or answer.ec) or false)
      reading.ranking(case[1])
      reading.action(case[1], { "blast" })
      reading.field(case[1], "NOTE")
    end)
  end

  it("states a confidence of many digits", function ()
    assert.is_nil((reading.confidence("CONFIDENCE: " .. long "1" .. "a" .. long "a" .. "1")))
    assert.equal(0.5, (reading.confidence("CONFIDENCE: 0.5" .. long "0")))
    assert.equal(0.5, (reading.confidence(long "CONFIDENCE: " .. long " " .. "0.5")))
  end)
end)
