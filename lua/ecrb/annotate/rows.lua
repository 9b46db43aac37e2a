-- From what a method recorded to a row: the EC number or its deepest prefix,
-- how sure, what supports it, and why it ends there.

local core_ec = require "core.ec"
local core_text = require "core.text"
local json = require "ecrb.json"
local stream = require "ecrb.annotate.stream"

local rows = {}

local SUPPORT = 5 -- hits of a channel that a JSON row tells of

local given = json.present

-- Whether a hit carries the node or something below it.
local function carries(hit, node, level)
  for _, number in ipairs(hit.ec) do
    if core_ec.prefix(number, level) == node then return true end
  end
  return false
end

-- What the channels say about a node (nil: none was committed): how many have
-- hits, in how many the first one carries it, and the hits that do.
local function support_for(world, position, node)
  local found = { channels = 0, agreeing = 0, hits = {} }
  local level = node and core_ec.level(node)
  for _, channel in ipairs(world.bench.core:channels()) do
    local hits = world.bench.core:evidence(position, channel)
    if hits[1] then found.channels = found.channels + 1 end
    if node and hits[1] and carries(hits[1], node, level) then
      found.agreeing = found.agreeing + 1
    end
    local kept = 0
    for _, hit in ipairs(hits) do
      if kept < SUPPORT and (not node or carries(hit, node, level)) then
        kept = kept + 1
        found.hits[#found.hits + 1] = { channel = channel, rank = hit.rank, ec = hit.ec,
          neighbour = world.index.ids[tonumber(string.sub(hit.neighbour, 2))],
          identity = hit.identity, coverage = hit.coverage, evalue = hit.evalue,
          score = hit.score, kind = hit.kind }
      end
    end
  end
  return found
end

-- Why an annotation ends where it does, in a word, and more if there is more.
local function ending(query, record, support)
  if query.length == 0 then return "empty", "the sequence has no residue" end
  if not record then
    return "too_long", string.format("more than %d residues are not searched", stream.longest)
  end
  if record.outcome == "abstained" and support.channels == 0 then
    return "no_neighbour", "no training enzyme within the limits"
  end
  return record.outcome, given(record.message)
end

-- The annotation of a query as a table; `record` and `position` are nil for one
-- that was not searched. world = {bench =, index =}.
function rows.of(world, query, record, position)
  local path = record and record.path or {}
  local node = path[#path]
  local support = record and support_for(world, position, node)
    or { channels = 0, agreeing = 0, hits = {} }
  local stop, message = ending(query, record, support)
  return { id = query.id, length = query.length, ec = node, level = #path,
    also = record and given(record.others) or {},
    confidence = record and given(record.confidence), share = record and given(record.share),
    channels = support.channels, agreeing = support.agreeing, support = support.hits,
    stop = stop, message = message }
end

-- {==================================================================
-- As a line of text
-- ===================================================================

local function cell(value)
  if value == nil or value == "" then return "-" end
  return (string.gsub(core_text.printable(tostring(value)), "%s+", " "))
end

local function percent(value)
  return value and string.format("%.1f%%", value) or "-"
end

-- The first supporter of each channel.
local function supporters(row)
  local told, seen = {}, {}
  for _, hit in ipairs(row.support) do
    if not seen[hit.channel] then
      told[#told + 1] = string.format("%s %s %s %s", hit.channel, hit.neighbour,
        percent(hit.identity), table.concat(hit.ec, ","))
    end
    seen[hit.channel] = true
  end
  return table.concat(told, "; ")
end

local function tsv(row)
  local confidence = row.confidence or row.share
  return table.concat({ cell(row.id), row.length, cell(row.ec), row.level,
    cell(table.concat(row.also, ";")), confidence and string.format("%.3f", confidence) or "-",
    string.format("%d/%d", row.agreeing, row.channels), cell(supporters(row)), row.stop,
    cell(row.message) }, "\t")
end

local or_null = json.or_null

local function jsonl(row)
  local whole = { id = core_text.utf8(row.id), length = row.length, ec = or_null(row.ec),
    level = row.level, also = json.array(row.also), confidence = or_null(row.confidence),
    share = or_null(row.share), channels = row.channels, agreeing = row.agreeing,
    support = json.array(), stop = row.stop, message = or_null(row.message) }
  for i, hit in ipairs(row.support) do
    whole.support[i] = { channel = hit.channel, rank = hit.rank, score = hit.score,
      neighbour = core_text.utf8(hit.neighbour), ec = json.array(hit.ec), kind = hit.kind,
      identity = or_null(hit.identity), coverage = or_null(hit.coverage),
      evalue = or_null(hit.evalue) }
  end
  return json.encode(whole)
end

local function read_tsv(line)
  return string.match(line, "^([^\t]*)"), string.match(line, "\t([^\t]*)\t[^\t]*$")
end

local function read_jsonl(line)
  local row = json.decode(line)
  if type(row) == "table" then return row.id, row.stop end
end

-- Of each: line(row); name(id), how an id stands in it; read(line), its id and
-- how it ends.
rows.formats = {
  tsv = { line = tsv, name = cell, read = read_tsv,
    header = table.concat({ "id", "length", "ec", "level", "also", "confidence", "agreement",
      "support", "stop", "message" }, "\t") .. "\n" },
  jsonl = { line = jsonl, name = function (id) return (core_text.utf8(id)) end,
    read = read_jsonl, header = "" },
}
-- }==================================================================

return rows
