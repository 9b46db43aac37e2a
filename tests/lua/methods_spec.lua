-- The methods, with a model that says what the test wants.

local json = require "ecrb.json"
local played = dofile "tests/support/played.lua"

local function ending(...)
  return table.concat({ ... }, "\n")
end

-- The candidate of a prompt that stands on the way to an EC number, or UNSURE.
local function towards(number)
  return function (_, prompt)
    local block = string.match(prompt, "Candidates:\n(.-)\n\n")
    for node in string.gmatch(block, "%- (%S+)") do
      local stem = string.gsub(node, "%.?%-", "")
      if stem == number or string.sub(number, 1, #stem + 1) == stem .. "." then
        return ending("ANSWER: " .. node, "CONFIDENCE: 0.9")
      end
    end
    return ending("ANSWER: UNSURE", "CONFIDENCE: 0.1")
  end
end

describe("B0", function ()
  it("asks once and reads the last explicit answer", function ()
    local line, prompts = played { method = "b0", item = "price/3",
      reply = function () return "Perhaps 1.1.1.2. ANSWER: EC 1.1.1.1" end }
    assert.equal(1, #prompts)
    assert.same({ "1.-.-.-", "1.1.-.-", "1.1.1.-", "1.1.1.1" }, line.path)
    assert.equal("answered", line.outcome)
    assert.equal(json.null, line.confidence)
    assert.is_false(line.may_stop)
  end)

  it("commits a number that does not exist to its depth, as invalid", function ()
    local line = played { method = "b0", item = "price/3",
      reply = function () return "ANSWER: 1.1.1.99999" end }
    assert.equal("invalid", line.outcome)
    assert.equal(4, #line.path)
  end)

  it("counts a reply without a number as unreadable, and asks no second time", function ()
    local line, prompts = played { method = "b0", item = "price/3",
      reply = function () return "It is an enzyme." end }
    assert.equal("unreadable", line.outcome)
    assert.equal(1, #prompts)
  end)

  it("says in a closed book that there is no evidence", function ()
    local _, prompts = played { method = "b0", item = "price/3", book = "closed",
      reply = function () return "ANSWER: 1.1.1.1" end }
    assert.matches("No evidence is available", prompts[1])
    assert.not_matches("blast", prompts[1])
  end)

  it("shows the motif list only where it is asked for", function ()
    local function first(given)
      local _, prompts = played { method = "b0", item = "price/3", given = given,
        reply = function () return "ANSWER: 1.1.1.1" end }
      return prompts[1]
    end
    assert.not_matches("Rossmann", first {})
    assert.matches("Rossmann", first { motifs = "true" })
  end)
end)

describe("M1", function ()
  it("walks to the leaf, a question a level", function ()
    local line, prompts = played { method = "m1", item = "price/3", reply = towards "1.1.1.1" }
    assert.equal("1.1.1.1", line.path[4])
    assert.equal(4, #prompts)
    assert.same({ 0.9, 0.9, 0.9, 0.9 }, line.confidences)
    assert.is_true(line.may_stop)
  end)

  it("stops at UNSURE with the confidence of that step", function ()
    local line = played { method = "m1", item = "price/3",
      reply = function (n, prompt)
        if n < 3 then return towards("1.1.1.1")(n, prompt) end
        return ending("ANSWER: UNSURE", "CONFIDENCE: 0.3")
      end }
    assert.same({ "1.-.-.-", "1.1.-.-" }, line.path)
    assert.equal("abstained", line.outcome)
    assert.equal(3, line.stopped_at)
    assert.equal(0.3, line.confidence)
  end)

  it("asks once more for what it cannot read, then abstains as unreadable", function ()
    local line, prompts = played { method = "m1", item = "price/3",
      reply = function () return "Both 1.-.-.- and 2.-.-.-" end }
    assert.equal(2, #prompts)
    assert.matches("could not be read: the reply names several candidates", prompts[2])
    assert.equal("unreadable", line.outcome)
    assert.equal(1, line.stopped_at)
  end)

  it("takes the repaired answer", function ()
    local line = played { method = "m1", item = "price/3",
      reply = function (n, prompt)
        if n == 1 then return "hm" end
        if n == 2 then return ending("ANSWER: 1", "CONFIDENCE: 1") end
        return towards("1.1.1.1")(n, prompt)
      end }
    assert.equal("1.1.1.1", line.path[4])
  end)

  it("keeps what was committed when a call is lost", function ()
    local line = played { method = "m1", item = "price/3",
      reply = function (n, prompt)
        if n == 1 then return towards("1.1.1.1")(n, prompt) end
        return { ok = false, class = "retry", cause = "timeout", message = "no reply in time" }
      end }
    assert.same({ "1.-.-.-" }, line.path)
    assert.equal("failed", line.outcome)
    assert.equal("timeout", line.cause)
  end)

  it("refuses a confidence out of range, keeps the choice, and notes it", function ()
    local line = played { method = "m1", item = "price/3",
      reply = function () return ending("ANSWER: UNSURE", "CONFIDENCE: 7") end }
    assert.equal(json.null, line.confidence)
    assert.equal("stated confidence refused: it lies outside 0..1", line.notes[1].value)
  end)

  it("commits a stranger that was offered, and walks on below it", function ()
    local picked
    local line = played { method = "m1", item = "price/3",
      reply = function (n, prompt)
        if n == 1 then return ending("ANSWER: 1", "CONFIDENCE: 1") end
        if n > 2 then return ending("ANSWER: UNSURE", "CONFIDENCE: 0") end
        for node in string.gmatch(prompt, "%- (%d+%.%d+%.%-%.%-)") do
          if string.sub(node, 1, 2) ~= "1." then picked = node end
        end
        return ending("ANSWER: " .. picked, "CONFIDENCE: 1")
      end }
    assert.same({ "1.-.-.-", picked }, line.path)
    assert.equal("abstained", line.outcome)
  end)

  it("leaves names out where it is told to", function ()
    local _, prompts = played { method = "m1", item = "price/3", given = { names = "false" },
      reply = towards "1.1.1.1" }
    assert.not_matches("Oxidoreductases", prompts[1])
  end)
end)

describe("M2", function ()
  local function search(calls)
    return function (n, prompt)
      if calls[n] then
        return ending("HYPOTHESIS: maybe", "ENOUGH: no", "ACTION: " .. calls[n])
      end
      return towards("1.1.1.1")(n, prompt)
    end
  end

  it("starts without evidence, reads what it calls, and counts it", function ()
    local line, prompts = played { method = "m2", item = "price/3", reply = search { "blast" } }
    assert.matches("No evidence channel has been read yet", prompts[1])
    assert.matches("Calls left for this enzyme: 4", prompts[1])
    assert.matches("\nblast +1 ", prompts[2])
    assert.matches("level 1: maybe", prompts[2])
    assert.same({ "blast" }, line.channels)
    assert.equal(5, line.turns)
  end)

  it("offers recorded channels only, and each only until it was read", function ()
    local _, prompts = played { method = "m2", item = "price/3", reply = search { "blast" } }
    local function menu(prompt)
      return string.match(prompt, "Evidence channels that you can call:\n(.-)\n\n")
    end
    assert.matches("blast", menu(prompts[1]))
    assert.not_matches("pfam", menu(prompts[1]))
    assert.not_matches("esm_knn", menu(prompts[1]))
    assert.not_matches("blast", menu(prompts[2]))
    assert.matches("hmmer", menu(prompts[2]))
  end)

  it("must decide on the third turn of a level", function ()
    local line, prompts = played { method = "m2", item = "price/3",
      reply = search { "blast", "hmmer", "blast" } }
    assert.matches("No further evidence can be called now", prompts[3])
    assert.same({ "blast", "hmmer" }, line.channels)
  end)

  it("pays for a repeated call, and has four in all", function ()
    local line, prompts = played { method = "m2", item = "price/3",
      reply = search { "blast", "blast", nil, "hmmer", "blast" } }
    assert.same({ "blast", "blast", "hmmer", "blast" }, line.channels)
    assert.matches("No further evidence can be called now", prompts[#prompts])
  end)
end)

describe("M3", function ()
  it("is shown the motif scan and reasons once", function ()
    local line, prompts = played { method = "m3", item = "price/3", book = "closed",
      reply = function () return "1. oxidoreduction ... ANSWER: 1.1.1.1" end }
    assert.equal(1, #prompts)
    assert.matches("Rossmann", prompts[1])
    assert.matches("weak priors", prompts[1])
    assert.equal("answered", line.outcome)
  end)
end)

describe("M4", function ()
  -- Three chains in turn, each by its own reply.
  local function chains(...)
    local replies = { ... }
    return function (n, prompt)
      return replies[(n - 1) % #replies + 1](n, prompt)
    end
  end

  it("accepts the deepest prefix that a majority holds", function ()
    local line = played { method = "m4", item = "price/3",
      reply = chains(towards "1.1.1.1", towards "1.1.1.1", towards "2.7.1.1") }
    assert.equal("1.-.-.-", line.path[1])
    assert.is_true(line.share >= 0.5)
    assert.equal(#line.path, line.consensus)
  end)

  it("runs k chains of any base, and follows its validity", function ()
    local line, prompts = played { method = "m4", item = "price/3",
      given = { base = "b0", k = "5" }, reply = function () return "ANSWER: 1.1.1.1" end }
    assert.equal(5, #prompts)
    assert.equal("1.1.1.1", line.path[4])
    assert.equal(1, line.share)
    assert.is_false(line.may_stop)
  end)

  it("averages the confidences of its chains", function ()
    local values = { "0.2", "0.4", "0.9" }
    local line = played { method = "m4", item = "price/3",
      reply = function (n) return ending("ANSWER: UNSURE", "CONFIDENCE: " .. values[n]) end }
    assert.equal(0, #line.path)
    assert.is_true(math.abs(line.confidence - 0.5) < 1e-12)
    assert.equal("abstained", line.outcome)
  end)

  it("stops sampling when the vote is decided", function ()
    local line, prompts = played { method = "m4", item = "price/3",
      given = { base = "b0", k = "5", adaptive = "true" },
      reply = function () return "ANSWER: 1.1.1.1" end }
    assert.equal(3, #prompts)
    assert.equal(2, line.saved)
    assert.equal("1.1.1.1", line.path[4])
  end)

  it("asks anew in each chain that it adds, with a seed of its own", function ()
    local line, prompts = played { method = "m4", item = "price/3",
      given = { base = "b0", k = "5", adaptive = "true" },
      reply = function (n) return "ANSWER: 1.1.1." .. n end }
    local distinct, seen = 0, {}
    for _, key in ipairs(line.calls) do
      distinct = distinct + (seen[key] and 0 or 1)
      seen[key] = true
    end
    assert.equal(5, distinct)
    assert.equal(5, #prompts)
    assert.equal(0, line.saved)
  end)

  it("is failed where every chain failed, and not where one answered", function ()
    local lost = { ok = false, class = "retry", cause = "timeout", message = "late" }
    local line = played { method = "m4", item = "price/3", given = { base = "b0" },
      reply = function () return lost end }
    assert.equal("failed", line.outcome)
    line = played { method = "m4", item = "price/3", given = { base = "b0" },
      reply = function (n) return n == 1 and "ANSWER: 1.1.1.1" or lost end }
    assert.equal("abstained", line.outcome)
  end)

  it("refuses a base that wraps itself", function ()
    assert.has_error(function ()
      played { method = "m4", item = "price/3", given = { base = "m4" } }
    end, require "core.system".self .. "/methods/m4_selfconsistent.lua: base `m4` wraps itself: "
      .. "a base must not lead back to `m4`")
  end)
end)

describe("M5", function ()
  it("does not ask where the channels' top hits agree", function ()
    local line, prompts = played { method = "m5", item = "30-50/1", reply = function () end }
    assert.equal(0, #prompts)
    assert.equal(1, line.saved)
    assert.equal("answered", line.outcome)
  end)
end)

describe("M6", function ()
  it("keeps M2's loop and notes the regime", function ()
    local line = played { method = "m6", item = "30/2", reply = towards "4.6.1.1" }
    assert.equal("homology", line.notes[1].name)
  end)
end)

describe("M2 with native tools", function ()
  local function played_natively(reply)
    return played { method = "m2", item = "price/3", given = { protocol = "tools" }, reply = reply }
  end

  it("calls a channel as a function and reads the observation", function ()
    local line, prompts = played_natively(function (n, prompt)
      if n == 1 then
        return { ok = true, text = "", call = { name = "read_evidence",
                                                arguments = { channel = "blast" } } }
      end
      return towards("1.1.1.1")(n, prompt)
    end)
    assert.same({ "blast" }, line.channels)
    assert.matches("\nblast +1 ", prompts[2])
    assert.equal("1.1.1.1", line.path[4])
  end)

  it("asks again where a channel is called that is not offered", function ()
    local line, prompts = played_natively(function ()
      return { ok = true, text = "", call = { name = "read_evidence",
                                              arguments = { channel = "pfam" } } }
    end)
    assert.matches("could not be read", prompts[2])
    assert.equal("unreadable", line.outcome)
  end)
end)
