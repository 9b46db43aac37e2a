-- Writes the tables of a benchmark, as data/README.md describes them.

local ec = require "ec"
local files = require "files"

local tables = {}

local NEAR_IDENTITY, NEAR_COVERAGE = 90, 80

function tables.tree(out, leaves, names, inner)
  local needed, rows = {}, {}
  for _, leaf in ipairs(leaves) do
    for level = 1, 3 do needed[ec.prefix(leaf, level)] = true end
  end
  for _, row in ipairs(inner) do
    if needed[row.ec] then
      rows[#rows + 1] = { ec = row.ec, name = row.name, origin = "name" }
    end
  end
  for _, leaf in ipairs(leaves) do
    rows[#rows + 1] = { ec = leaf, name = names[leaf], origin = "list" }
  end
  files.write_rows(out .. "/ec.tsv", { "ec", "name", "origin" }, rows)
end

function tables.items(out, items)
  local rows, labels = {}, {}
  for i, item in ipairs(items) do
    rows[i] = { item = item.id, split = item.split, shown = item.shown,
      flags = item.visible and "visible" or "-", sequence = item.sequence }
    labels[i] = { item = item.id, ec = table.concat(item.ec, ";") }
  end
  files.write_rows(out .. "/items.tsv",
    { "item", "split", "shown", "flags", "sequence" }, rows)
  files.write_rows(out .. "/labels.tsv", { "item", "ec" }, labels)
end

function tables.train(out, train)
  local rows = {}
  for i, enzyme in ipairs(train) do
    rows[i] = { enzyme = enzyme.id, shown = enzyme.shown,
      ec = table.concat(enzyme.ec, ";") }
  end
  files.write_rows(out .. "/train.tsv", { "enzyme", "shown", "ec" }, rows)
end

local function hit_row(item, channel, rank, hit, neighbour)
  return { item = item.id, channel = channel, rank = rank,
    neighbour = neighbour.id, shown = neighbour.shown,
    ec = table.concat(neighbour.ec, ";"), kind = "bits",
    score = string.format("%.1f", hit.score),
    identity = hit.identity and string.format("%.3f", hit.identity),
    coverage = string.format("%.1f", hit.coverage),
    evalue = string.format("%.2e", hit.evalue) }
end

-- `channels` is a list of {name, hits = {item id = {hit...}}}. Returns the
-- number of rows.
function tables.evidence(out, items, channels, by_id)
  local rows = {}
  for _, item in ipairs(items) do
    for _, channel in ipairs(channels) do
      for rank, hit in ipairs(channel.hits[item.id]) do
        rows[#rows + 1] =
          hit_row(item, channel.name, rank, hit, by_id[hit.neighbour])
      end
    end
  end
  files.write_rows(out .. "/evidence.tsv", { "item", "channel", "rank",
    "neighbour", "shown", "ec", "score", "kind", "identity", "coverage",
    "evalue" }, rows)
  return #rows
end

-- The near-identical neighbours, so that they are listed and not hidden.
function tables.decontamination(out, items, hits)
  local rows = {}
  for _, item in ipairs(items) do
    for _, hit in ipairs(hits[item.id]) do
      if hit.identity >= NEAR_IDENTITY and hit.coverage >= NEAR_COVERAGE then
        rows[#rows + 1] = { item = item.id, neighbour = hit.neighbour,
          identity = string.format("%.3f", hit.identity),
          coverage = string.format("%.1f", hit.coverage),
          reason = "near-identical" }
      end
    end
  end
  files.write_rows(out .. "/decontamination.tsv",
    { "item", "neighbour", "identity", "coverage", "reason" }, rows)
end

-- `gone`: {ec=, status=, now = {leaf...}} each.
function tables.superseded(out, gone)
  local rows = {}
  for i, number in ipairs(gone) do
    rows[i] = { ec = number.ec, status = number.status,
      now = #number.now > 0 and table.concat(number.now, ";") or nil }
  end
  files.write_rows(out .. "/superseded.tsv", { "ec", "status", "now" }, rows)
end

function tables.difficulty(out, rows)
  files.write_rows(out .. "/difficulty.tsv", { "item", "h_split", "h_tail",
    "h_branch", "h_distr", "d", "bin", "homology", "homology_bin",
    "evidence_d" }, rows)
end

return tables
