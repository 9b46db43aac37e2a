-- The paper's three case studies (appendix C), on the real items and evidence,
-- with a model that says what the paper tells of it.

local played = dofile "tests/support/played.lua"
local system = require "core.system"

local shared = (os.getenv("ECRB_SHARED") or "../shared") .. "/data"
local tmp = os.getenv("TMP") or system.temporary("/tmp")

local function ending(...)
  return table.concat({ ... }, "\n")
end

local function stem_of(node)
  return (string.gsub(node, "%.?%-", ""))
end

-- The offered candidate that leads to `number`, or UNSURE.
local function commit(prompt, number, confidence)
  local block = string.match(prompt, "Candidates:\n(.-)\n\n")
  for node in string.gmatch(block, "%- (%S+)") do
    local stem = stem_of(node)
    if stem == number or string.sub(number, 1, #stem + 1) == stem .. "." then
      return ending("HYPOTHESIS: " .. number, "ENOUGH: yes", "ANSWER: " .. node,
        "CONFIDENCE: " .. confidence)
    end
  end
  return ending("ANSWER: UNSURE", "CONFIDENCE: 0.1")
end

local function level_of(prompt)
  return tonumber(string.match(prompt, "choose at level (%d)"))
end

-- The ECs that the evidence rows of a channel show, best first.
local function shown(prompt, channel)
  local list = {}
  for row in string.gmatch(prompt, "\n" .. channel .. " +%d+ +%S+ +(%S+)") do
    list[#list + 1] = row
  end
  return list
end

-- The whole benchmark out of the real files.
local function imported()
  local folder = tmp .. "/cases"
  local code, output = system.run { "ecrb", "bench", "import", "care", shared .. "/care",
    "--train", shared .. "/train/train.tsv", "--blast", shared .. "/evidence/blastp.tsv.gz",
    "--hmmer", shared .. "/evidence/phmmer.tbl.gz", "-o", folder }
  assert(code == 0, output)
  return folder
end

-- The training set in shared/ holds no enzyme of 1.5.1.54, the paper's does: for
-- the third case the item gets the hits that the paper tells of.
local told = table.concat({
  "G2IQS8\tblast\t1\tTOLD1\tTTOLD0001\t1.5.1.53\t41\tbits\t25.8\t60\t1e-4",
  "G2IQS8\thmmer\t1\tTOLD2\tTTOLD0002\t1.5.1.54\t60\tbits\t-\t90\t1e-15",
  "G2IQS8\thmmer\t2\tTOLD3\tTTOLD0003\t1.5.1.54\t55\tbits\t-\t90\t1e-14",
  "G2IQS8\thmmer\t3\tTOLD1\tTTOLD0001\t1.5.1.53\t40\tbits\t-\t80\t1e-9",
  "G2IQS8\thmmer\t4\tTOLD4\tTTOLD0004\t1.5.1.54\t38\tbits\t-\t80\t1e-8" }, "\n")

local function with_told_evidence(folder)
  local path, lines, done = folder .. "/evidence.tsv", {}, false
  for line in io.lines(path) do
    if string.sub(line, 1, 7) ~= "G2IQS8\t" then
      lines[#lines + 1] = line
    elseif not done then
      lines[#lines + 1], done = told, true
    end
  end
  assert(done)
  system.write(path, table.concat(lines, "\n") .. "\n")
end

describe("case study", function ()
  if not system.exists(shared .. "/care") then
    pending("CARE's files are not under $ECRB_SHARED")
    return
  end
  local bench

  setup(function ()
    bench = imported()
    with_told_evidence(bench)
  end)

  it("1: one call corrects a confident closed-book error (Q8FP91)", function ()
    local closed = played { method = "b0", bench = bench, item = "Q8FP91", book = "closed",
      reply = function () return "A Rossmann fold and flavin: ANSWER: 1.3.1.34" end }
    assert.equal("1.3.1.34", closed.path[4])
    local line, prompts = played { method = "m2", bench = bench, item = "Q8FP91",
      reply = function (n, prompt)
        if n == 2 then return "HYPOTHESIS: oxidoreductase\nENOUGH: no\nACTION: blast" end
        if n == 1 then return commit(prompt, "1", "0.8") end
        return commit(prompt, shown(prompt, "blast")[1], "0.95")
      end }
    assert.equal("1.1.5.4", shown(prompts[3], "blast")[1])
    assert.equal("1.1.5.4", line.path[4])
    assert.same({ "blast" }, line.channels)
    assert.equal("answered", line.outcome)
    for level = 2, 4 do assert.equal(0.95, line.confidences[level]) end
  end)

  it("2: conflicting homologs end in a low confidence at level four (WP_063462990)", function ()
    local line, prompts = played { method = "m2", bench = bench, item = "WP_063462990",
      reply = function (_, prompt)
        local level = level_of(prompt)
        if level < 4 then return commit(prompt, "1.1.1", "0.9") end
        for _, channel in ipairs { "blast", "hmmer" } do
          if #shown(prompt, channel) == 0 then return "ENOUGH: no\nACTION: " .. channel end
        end
        for node in string.gmatch(prompt, "%- (1%.1%.1%.%d+)") do
          if node ~= "1.1.1.48" then return commit(prompt, node, "0.47") end
        end
      end }
    local leaves, distinct = {}, 0
    for _, number in ipairs(shown(prompts[#prompts], "blast")) do
      if not leaves[number] then distinct = distinct + 1 end
      leaves[number] = true
    end
    assert.is_true(distinct >= 2)
    assert.is_nil(leaves["1.1.1.48"])
    assert.equal("1.1.1.-", line.path[3])
    assert.not_equal("1.1.1.48", line.path[4])
    assert.equal(0.47, line.confidence)
    assert.same({ "blast", "hmmer" }, line.channels)
  end)

  it("3: HMMER corrects what BLAST alone would mislead (G2IQS8)", function ()
    local closed = played { method = "m1", bench = bench, item = "G2IQS8", book = "closed",
      reply = function (n, prompt) return commit(prompt, n == 1 and "5" or "5.1.1.3", "0.9") end }
    assert.equal("5.-.-.-", closed.path[1])
    local line, prompts = played { method = "m2", bench = bench, item = "G2IQS8",
      reply = function (_, prompt)
        local level = level_of(prompt)
        if level == 1 then return commit(prompt, "1", "0.8") end
        if #shown(prompt, "blast") == 0 and string.find(prompt, "%- blast ") then
          return "ENOUGH: no\nACTION: blast"
        end
        if #shown(prompt, "hmmer") == 0 and string.find(prompt, "%- hmmer ") then
          return "ENOUGH: no\nACTION: hmmer"
        end
        return commit(prompt, "1.5.1.54", "0.9")
      end }
    assert.equal("1.5.1.54", line.path[4])
    assert.is_true(#line.channels >= 1)
    assert.equal("hmmer", line.channels[#line.channels])
    local converged = 0
    for _, number in ipairs(shown(prompts[#prompts], "hmmer")) do
      converged = converged + (number == "1.5.1.54" and 1 or 0)
    end
    assert.is_true(converged >= 2)
  end)
end)
