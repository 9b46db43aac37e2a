-- Runs that nobody ran, for tests of what reads runs: folders as ecrb writes
-- them, over a benchmark, with answers drawn by seed from its labels. And a
-- benchmark of any size to run them on.

local brief = require "ecrb.brief"
local core_ec = require "core.ec"
local core_text = require "core.text"
local json = require "ecrb.json"
local system = require "core.system"

local synthetic = {}

-- {====================================================================
-- Runs
-- =====================================================================

-- What a setting is like: how often a level is right given the one above, how
-- often a walk stops at a level, whether it states a confidence.
synthetic.settings = {
  ["b0-closed"] = { "b0", "closed", right = { 0.5, 0.5, 0.7, 0.5 }, free = true },
  ["m1-closed"] = { "m1", "closed", right = { 0.5, 0.5, 0.7, 0.5 }, stop = 0.3,
                    confident = 0.5 },
  ["m3-closed"] = { "m3", "closed", right = { 0.4, 0.4, 0.6, 0.4 }, free = true },
  ["m4-closed"] = { "m4", "closed", right = { 0.5, 0.5, 0.7, 0.5 }, stop = 0.4,
                    confident = 0.6, chains = 3 },
  ["b0-open"] = { "b0", "open", right = { 0.93, 0.96, 0.95, 0.85 }, free = true },
  ["m2"] = { "m2", "open", right = { 0.92, 0.96, 0.95, 0.88 }, stop = 0.03,
             confident = 0.85, searches = true },
  ["cascade-open"] = { "m1", "open", right = { 0.93, 0.95, 0.94, 0.86 },
                       stop = 0.03, confident = 0.9 },
  ["m3-open"] = { "m3", "open", right = { 0.9, 0.96, 0.95, 0.84 }, free = true },
  ["m4-open"] = { "m4", "open", right = { 0.93, 0.96, 0.95, 0.87 }, stop = 0.04,
                  confident = 0.9, chains = 3 },
  ["vote"] = { "vote", "open", right = { 0.9, 0.95, 0.95, 0.85 }, control = true },
}

synthetic.nine = { "b0-closed", "m1-closed", "m3-closed", "m4-closed", "b0-open",
                   "m2", "cascade-open", "m3-open", "m4-open" }

-- What a reply may hold and a page must not run.
synthetic.hostile = "</script><script>document.title = 'owned'</script>"
  .. "<img src=x onerror=\"document.title = 'owned'\"> \27[31m\u{202E}gnp.exe"

local function pick(list)
  return list[math.random(#list)]
end

-- A child of a node that is not `but`.
local function wrong_child(tree, node, but)
  local children = tree:children(node)
  local child = pick(children)
  return child ~= but and child or #children > 1 and wrong_child(tree, node, but)
    or nil
end

-- How much a split helps or hurts.
local ease = { ["30"] = 0.9, ["30-50"] = 1.05, price = 0.85, promiscuous = 1.08 }

-- The path of an answer: right as far as the dice say, then wrong or stopped.
local function path_of(tree, label, kind, split, skill)
  local gold, path, on = core_ec.path(label), {}, true
  for level = 1, 4 do
    if kind.stop and math.random() < kind.stop then return path, true end
    local above = path[level - 1] or "-.-.-.-"
    local share = skill + kind.right[level] * (level == 4 and ease[split] or 1)
    if on and math.random() < share then
      path[level] = gold[level]
    else
      path[level] = wrong_child(tree, above, on and gold[level])
      on = false
      if not path[level] then return path, true end
    end
  end
  return path, false, on
end

local function clamp(value)
  return math.floor(100 * math.max(0, math.min(1, value)) + 0.5) / 100
end

local function confidence_of(kind, right)
  if not kind.confident then return json.null end
  return clamp(kind.confident + (right and 0.08 or -0.2)
    + 0.35 * (math.random() - 0.5))
end

local function channels_of(bench, index, kind)
  local list = json.array()
  if not kind.searches then return list end
  for _, channel in ipairs(bench:channels()) do
    if bench:evidence(index, channel, 1)[1] and math.random() < 0.8 ^ #list then
      list[#list + 1] = channel
    end
  end
  return list
end

local function outcome_of(kind, path, stopped)
  local luck = math.random()
  if luck < 0.01 then return "failed", "server" end
  if luck < 0.02 then return "unreadable", "unreadable" end
  if luck < 0.025 then return "refused", "refused" end
  if stopped and kind.stop then return "abstained", "abstained" end
  if #path < 4 then return "unreadable", "unreadable" end
  if kind.free and luck > 0.95 then
    path[4] = string.gsub(path[4], "%d+$", "999")
    return "invalid", "invalid"
  end
  return "answered", json.null
end

local function record_of(bench, index, kind, keys, skill)
  local item = bench:item(index)
  local path, stopped, right = path_of(bench:tree(),
    pick(bench:reveal(index)), kind, item.split, skill)
  local outcome, cause = outcome_of(kind, path, stopped)
  if outcome ~= "answered" and outcome ~= "invalid" then
    path = table.move(path, 1, math.min(#path, 3), 1, {})
  end
  local confidence = confidence_of(kind, right)
  local confidences = json.array()
  for level in ipairs(path) do confidences[level] = confidence end
  return {
    name = item.name, split = item.split, path = json.array(path),
    may_stop = not kind.free, confidence = confidence,
    confidences = confidences, outcome = outcome, cause = cause,
    message = json.null, stopped_at = json.null, others = json.null,
    saved = json.null, channels = channels_of(bench, index, kind),
    turns = #keys, calls = keys, notes = json.array(), spans = json.array(),
    share = kind.chains and clamp(0.7 + 0.3 * math.random()) or json.null,
    consensus = kind.chains and #path or json.null,
    usage = { calls = #keys, prompt = 900 * #keys, completion = 120 * #keys,
              reasoning = 0, unknown = 0 },
  }
end

local function line_of(key, fields)
  return string.format('{"key":"%s",%s\n', key,
    string.sub(json.encode(fields), 2))
end

local function evidence_text(bench, index, kind)
  if kind[2] == "closed" then return brief.no_evidence end
  local tables = {}
  for i, channel in ipairs(bench:channels()) do
    tables[i] = { channel = channel, hits = bench:evidence(index, channel, 10) }
  end
  return brief.evidence(tables)
end

local function question(bench, index, kind, n)
  return string.format("%s\n\nEvidence:\n%s\n\nQuestion %d: choose a node below "
    .. "the committed one.\n%s", brief.enzyme(bench:enzyme(index)),
    evidence_text(bench, index, kind), n, brief.candidates(
      bench:candidates(index, "-.-.-.-")))
end

local function reply_text(n, hostile)
  return "The evidence rows agree with each other on the first levels, and the "
    .. "descriptors do not speak against it.\n" .. (hostile and synthetic.hostile
    or "") .. "\nANSWER: 1.-.-.-\nCONFIDENCE: 0." .. n
end

local function call_of(bench, index, kind, n, hostile)
  local item = bench:item(index)
  local text = reply_text(n, hostile)
  return {
    request = { model = "synthetic", messages = { { role = "user",
      content = question(bench, index, kind, n) } } },
    item = item.id, shown = item.shown, sample = "", ordinal = n,
    step = kind[1] .. "/level", attempts = json.array(), status = 200, ok = true,
    cause = json.null, session = 1,
    raw = json.encode { object = "chat.completion", model = "synthetic",
      choices = { { index = 0, finish_reason = "stop",
        message = { role = "assistant", content = text } } } },
  }
end

local calls_of_method = { b0 = 1, m1 = 4, m2 = 5, m3 = 1, m4 = 12, vote = 0 }

local function write_items(folder, bench, kind, options)
  local items = assert(io.open(folder .. "/items.jsonl", "wb"))
  local calls = assert(io.open(folder .. "/calls.jsonl", "wb"))
  local n = math.min(options.calls or math.huge, calls_of_method[kind[1]])
  for index = 1, options.items or #bench do
    local keys = json.array()
    for call = 1, n do
      keys[call] = string.sub(core_text.sha256(folder .. index .. "/" .. call),
        1, 32)
      calls:write(line_of(keys[call], call_of(bench, index, kind, call,
        options.hostile == index)))
    end
    items:write(line_of(bench:item(index).id,
      record_of(bench, index, kind, keys, options.skill or 0)))
  end
  items:close()
  calls:close()
end

local function manifest_of(benchmark, kind, options)
  local reader = not options.model
  local name = kind.control and "none" or options.model or "reader"
  return {
    format = 1, complete = true, sessions = json.array(),
    items_total = options.total or options.items or #benchmark.core,
    bench_folder = benchmark.folder, versions = { ecrb = system.version },
    settings = {
      method = { id = kind[1], title = kind[1], sha256 = "0" }, book = kind[2],
      options = {}, prompts = {}, parameters = {}, seed = options.seed or 1,
      bench = { name = benchmark.name, sha256 = benchmark.sha256 },
      model = { name = name, identity = name, kind = kind.control and "none"
        or reader and "reader" or "endpoint" },
      split = "all", hits = 10, oracle = false,
    },
  }
end

-- Writes the run of a setting into `folder`. Options: model (a name; without
-- one it is the reader's), seed, items (how many), total, calls (an item's at most), hostile
-- (the item whose replies are), skill (added to how often a level is right).
-- Returns the folder.
function synthetic.run(folder, benchmark, setting, options)
  options = options or {}
  local kind = assert(synthetic.settings[setting], setting)
  math.randomseed(options.seed or 1, #setting + string.byte(setting, 2))
  system.mkdir(folder)
  write_items(folder, benchmark.core, kind, options)
  system.write(folder .. "/run.json",
    json.pretty(manifest_of(benchmark, kind, options)))
  return folder
end

-- Runs of several settings below `folder`; returns their folders.
function synthetic.runs(folder, benchmark, settings, options)
  local folders = {}
  for i, setting in ipairs(settings) do
    folders[i] = synthetic.run(folder .. "/" .. setting, benchmark, setting,
      options)
  end
  return folders
end

-- }====================================================================

-- {====================================================================
-- A benchmark
-- =====================================================================

local splits = { { "30", 432 }, { "30-50", 560 }, { "price", 148 },
                 { "promiscuous", 209 } }

local letters = "ACDEFGHIKLMNPQRSTVWY"

local function sequence(length)
  local out = {}
  for i = 1, length do
    local at = math.random(#letters)
    out[i] = string.sub(letters, at, at)
  end
  return table.concat(out)
end

local function leaves_of(path)
  local leaves = {}
  for line in io.lines(path) do
    local ec = string.match(line, "^(%d+%.%d+%.%d+%.%d+)\t")
    if ec then leaves[#leaves + 1] = ec end
  end
  return leaves
end

local function base32(prefix, text)
  local alphabet, out = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", {}
  local number = tonumber(string.sub(core_text.sha256(text), 1, 10), 16)
  for i = 1, 8 do
    local at = number % 32
    out[i] = string.sub(alphabet, at + 1, at + 1)
    number = number // 32
  end
  return prefix .. table.concat(out)
end

local function row(file, ...)
  file:write(table.concat({ ... }, "\t"), "\n")
end

local function create(folder, name, ...)
  local file = assert(io.open(folder .. "/" .. name .. ".tsv", "wb"))
  row(file, ...)
  return file
end

local channels = { "blast", "hmmer", "structure" }

local function write_hits(file, id, label, leaves)
  for _, channel in ipairs(channels) do
    if math.random() < 0.85 then
      for rank = 1, 10 do
        local ec = math.random() < 0.7 and label or pick(leaves)
        local neighbour = "N" .. math.random(9999) .. rank
        row(file, id, channel, rank, neighbour, base32("T", neighbour), ec,
          string.format("%.1f", 500 - 20 * rank), "bits", channel == "blast"
            and string.format("%.3f", 90 - 4 * rank - math.random(30)) or "-",
          "80.0", string.format("%.2e", 10.0 ^ (rank - 30)))
      end
    end
  end
end

local bins = { "<30", "30-40", "40-50", "50-70", ">=70" }

local function labels_for(split, leaves)
  if split ~= "promiscuous" then return pick(leaves) end
  return pick(leaves) .. ";" .. pick(leaves)
end

local function write_item(files, split, n, leaves)
  local id = string.format("SYN%s%04d", string.gsub(split, "%W", "x"), n)
  local label = labels_for(split, leaves)
  row(files.items, id, split, base32("Q", id), "-", sequence(200 + math.random(400)))
  row(files.labels, id, label)
  write_hits(files.evidence, id, string.match(label, "[^;]+"), leaves)
  row(files.difficulty, id, "0.5", "0.5", "0.5", "0.5", "0.5",
    "D" .. math.random(5), "50.0", pick(bins), "0.5")
end

-- Writes a benchmark of 1,349 items (or `share` of them) into `folder`, with
-- the tree of the bundled one.
function synthetic.benchmark(folder, share)
  math.randomseed(7)
  system.mkdir(folder)
  local tree = assert(io.open(system.self .. "/data/ecoli/ec.tsv", "rb"))
  system.write(folder .. "/ec.tsv", tree:read("a"))
  tree:close()
  local leaves = leaves_of(folder .. "/ec.tsv")
  local files = {
    items = create(folder, "items", "item", "split", "shown", "flags", "sequence"),
    labels = create(folder, "labels", "item", "ec"),
    evidence = create(folder, "evidence", "item", "channel", "rank", "neighbour",
      "shown", "ec", "score", "kind", "identity", "coverage", "evalue"),
    difficulty = create(folder, "difficulty", "item", "h_split", "h_tail",
      "h_branch", "h_distr", "d", "bin", "homology", "homology_bin", "evidence_d"),
    train = create(folder, "train", "enzyme", "shown", "ec"),
  }
  for _, split in ipairs(splits) do
    for n = 1, math.ceil(split[2] * (share or 1)) do
      write_item(files, split[1], n, leaves)
    end
  end
  for _, file in pairs(files) do file:close() end
  system.write(folder .. "/bench.json", '{"name": "synthetic", "seed": 7}\n')
  return folder
end

-- }====================================================================

return synthetic
