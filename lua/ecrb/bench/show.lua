-- `ecrb bench show ITEM`: an item as a person wants to see it. Labels, and what
-- would betray them, only with --labels.

local benchmark = require "ecrb.benchmark"
local brief = require "ecrb.brief"
local candidates = require "ecrb.import.candidates"
local core_text = require "core.text"
local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"
local out = require "ecrb.out"
local raw_ids = require "ecrb.import.raw_ids"
local system = require "core.system"
local tables = require "ecrb.tables"

local action = { summary = "show an item: features, evidence, candidates" }

function action.configure(p)
  p:argument("ITEM", "name of an item (price/3), accession, or anonymized id"):target("item")
    :argname("ITEM")
  p:option("--bench", "benchmark folder, or the name of a bundled one (default: ecoli)")
    :argname("BENCH")
  p:option("--at", "node below which candidates are shown (default: the root)"):argname("EC")
  p:flag("--labels", "show labels, the candidates along their paths, and difficulty too")
end

local function show_item(bench, index)
  local item = bench.core:item(index)
  out.write(string.format("%s  %s  shown as %s%s\n\n", item.name, item.id, item.shown,
    item.visible and " (control subset)" or ""))
  local enzyme = bench.core:enzyme(index)
  if item.reaction then
    out.write(brief.reaction(enzyme, "both", true), "\n\n")
    return
  end
  out.write(brief.descriptors(enzyme), "\n\nMotifs (weak priors):\n",
    brief.motifs(enzyme), "\n\n", brief.sequence(enzyme), "\n\n")
end

local function percent(value)
  return value and string.format("%.1f", value) or nil
end

local function hit_row(hit)
  return { tostring(hit.rank), hit.neighbour, hit.shown, table.concat(hit.ec, ";"),
    string.format("%.5g", hit.score), percent(hit.identity), percent(hit.coverage),
    hit.evalue and string.format("%.2g", hit.evalue) }
end

-- `raw`: how files spelled ids (ecrb/import/raw_ids.lua).
local function show_hits(channel, id, hits, raw)
  local rows = {}
  local columns = { "rank", "neighbour", "shown", "EC numbers", hits[1].kind, "identity %",
    "coverage %", "E-value" }
  for i, hit in ipairs(hits) do
    local spelled = raw[raw_ids.key(id, channel, hit.neighbour)]
    rows[i] = hit_row(hit)
    if spelled then
      columns[9] = "in the file"
      rows[i][9] = core_text.printable(spelled[2])
    end
  end
  out.write(tables.write("text", { title = "Evidence, " .. channel, columns = columns,
    rows = rows }), "\n")
end

local function show_evidence(bench, index)
  local none, raw = {}, raw_ids.read(bench.folder)
  for _, channel in ipairs(bench.core:channels()) do
    local hits = bench.core:evidence(index, channel)
    if #hits > 0 then
      show_hits(channel, bench.core:item(index).id, hits, raw)
    else
      none[#none + 1] = channel
    end
  end
  if #none > 0 then out.write("No record: ", table.concat(none, ", "), "\n\n") end
end

local function show_candidates(bench, index, node)
  out.write("Candidates below ", node, ":\n",
    brief.candidates(bench.core:candidates(index, node)), "\n\n")
end

local function show_path(bench, index)
  local labels = bench.core:reveal(index)
  for level = 0, 3 do
    for _, node in ipairs(candidates.gold_nodes(labels, level)) do
      show_candidates(bench, index, node)
    end
  end
end

local function show_labels(bench, index)
  local tree = bench.core:tree()
  for _, label in ipairs(bench.core:reveal(index)) do
    local name = tree:name(label)
    out.write("Label: ", label, name and "  " .. name or "", "\n")
  end
end

local columns = { "item", "h_split", "h_tail", "h_branch", "h_distr", "d", "bin",
  "homology", "homology_bin", "evidence_d" }

local function show_difficulty(bench, index)
  local path, id = bench.folder .. "/difficulty.tsv", bench.core:item(index).id
  if not system.exists(path) then return end
  for _, item, split, tail, branch, distractors, d, bin, homology, homology_bin, open
    in import.table(path, columns) do
    if item == id then
      out.write(string.format("Difficulty: %s (d %s: split %s, tail %s, branch %s, "
        .. "distractors %s); homology %s%% (%s); with the evidence known %s\n", bin, d,
        split, tail, branch, distractors, homology, homology_bin, open))
    end
  end
end

local function node_of(bench, text)
  local node = ec.parse(text)
  if not node or ec.level(node) > 3 or not bench.core:tree():has(node) then
    fail("--at: `%s` is no inner node of the benchmark's tree", text)
  end
  return node
end

function action.run(args)
  local bench = benchmark.open(args.bench)
  local index = benchmark.index(bench, args.item)
  local at = args.at and node_of(bench, args.at)
  show_item(bench, index)
  show_evidence(bench, index)
  if args.labels and bench.core:labelled() then
    show_path(bench, index)
    show_labels(bench, index)
    show_difficulty(bench, index)
  else
    show_candidates(bench, index, at or "-.-.-.-")
  end
  return 0
end

return action
