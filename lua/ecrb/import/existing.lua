-- A benchmark on disk, back into a builder: what `ecrb bench evidence` adds to.
-- Written again with nothing added, every table has the same bytes.

local build = require "ecrb.import.build"
local cells = require "ecrb.import.cells"
local homology_channel = require "ecrb.import.homology_channel"
local import = require "core.import"
local raw_ids = require "ecrb.import.raw_ids"
local system = require "core.system"
local writer = require "ecrb.writer"

local existing = {}

local function read_tree(builder, folder)
  local path = folder .. "/ec.tsv"
  for line, number, name, origin in import.table(path, { "ec", "name", "origin?" }) do
    if origin == "list" then cells.accept(path, line, builder:leaf(number)) end
    if name ~= "-" then cells.accept(path, line, builder:name(number, name)) end
  end
end

local function read_items(builder, bench)
  local path, labelled = bench.folder .. "/items.tsv", bench.core:labelled()
  for i = 1, #bench.core do
    local item = bench.core:item(i)
    cells.accept(path, i + 1, builder:item(item.id, item.split, item.sequence,
      labelled and bench.core:reveal(i) or {}))
    if item.visible then builder:reveal(i) end
  end
end

local function read_training(builder, report, folder)
  local path, n = folder .. "/train.tsv", 0
  for line, id, list in import.table(path, { "enzyme", "ec" }) do
    cells.accept(path, line, builder:train(id, cells.ecs(report, path, line, list)))
    n = n + 1
  end
  return n
end

-- Reads everything but evidence; returns the size of the training set.
function existing.read(builder, report, bench)
  read_tree(builder, bench.folder)
  read_items(builder, bench)
  build.rate(builder)
  return read_training(builder, report, bench.folder)
end

-- {==================================================================
-- Evidence: each channel as hit tables, one for every set of numbers that its
-- hits have, since a table of hits has no empty cells.
-- ===================================================================

local numbers = { { "identity", "pident" }, { "coverage", "qcovs" }, { "evalue", "evalue" } }

local function row_of(item, channel, hit, raw)
  local ids = raw[raw_ids.key(item.id, channel, hit.neighbour)] or { item.id, hit.neighbour }
  local cell = { ids[1], ids[2], string.format("%.17g", hit.score) }
  local columns = { "qseqid", "sseqid", "bitscore" }
  for _, field in ipairs(numbers) do
    if hit[field[1]] then
      cell[#cell + 1] = string.format("%.17g", hit[field[1]])
      columns[#columns + 1] = field[2]
    end
  end
  return table.concat(columns, " "), table.concat(cell, "\t")
end

-- Homology counts alignments that did not become hits; difficulty.tsv alone
-- tells of them.
local function read_homology(folder)
  local found, path = {}, folder .. "/difficulty.tsv"
  if not system.exists(path) then return found end
  for _, item, value in import.table(path, { "item", "homology" }) do
    found[item] = tonumber(value)
  end
  return found
end

-- The hits of an item, and the lost alignment that its homology came from, as
-- a second, worse one of its first neighbour.
local function hits_of(bench, index, channel, homology)
  local found, most = bench.core:evidence(index, channel), 0
  local hits = table.move(found, 1, #found, 1, {})
  for _, hit in ipairs(hits) do most = math.max(most, hit.identity or 0) end
  if hits[1] and hits[1].identity and homology and homology - most > 1e-3 then
    hits[#hits + 1] = { neighbour = hits[1].neighbour, score = hits[1].score - 1,
      identity = homology, coverage = hits[1].coverage, evalue = hits[1].evalue,
      kind = hits[1].kind }
  end
  return hits
end

local function write_channel(bench, channel, homology, folder)
  local files, raw, kind = {}, raw_ids.read(bench.folder), nil
  for index = 1, #bench.core do
    local item = bench.core:item(index)
    for _, hit in ipairs(hits_of(bench, index, channel, homology[item.id])) do
      local columns, row = row_of(item, channel, hit, raw)
      if not files[columns] then
        local path = string.format("%s/%s", folder, string.gsub(columns, " ", "-"))
        files[columns] = { path = path, file = writer.open(path) }
      end
      files[columns].file:write(row, "\n")
      kind = hit.kind
    end
  end
  for _, one in pairs(files) do one.file:finish() end
  return files, kind
end

-- Hands the channel's hits to the builder as they stand; false where there are
-- none. `folder` is an empty one for scratch.
function existing.keep(builder, bench, channel, folder)
  local homology = channel == homology_channel(bench)
    and read_homology(bench.folder) or {}
  local files, kind = write_channel(bench, channel, homology, folder)
  for columns, one in pairs(files) do
    builder:evidence(channel, one.path, { format = "tabular", columns = columns,
      kind = kind, evalue = math.huge, most = 1000 })
    os.remove(one.path)
  end
  return kind ~= nil
end
-- }==================================================================

return existing
