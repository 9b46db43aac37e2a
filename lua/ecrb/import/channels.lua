-- The evidence of a benchmark under construction: every file that the command
-- line names, channel by channel.

local evidence = require "ecrb.import.evidence"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local text = require "core.text"

local channels = {}

local function position(channel)
  for i, kind in ipairs(evidence.sources) do
    if kind.channel == channel then return i end
  end
  return #evidence.sources + 1
end

-- The sources that the options name, in the order of the channels.
local function sources_of(args)
  local list = {}
  for _, kind in ipairs(evidence.sources) do
    local words = args[string.gsub(kind.option, "%-", "_")]
    if words then list[#list + 1] = evidence.source(kind, words) end
  end
  for _, words in ipairs(args.evidence or {}) do list[#list + 1] = evidence.named(words) end
  for i, source in ipairs(list) do source.given = i end
  table.sort(list, function (a, b)
    local p, q = position(a.channel), position(b.channel)
    if p ~= q then return p < q end
    return a.given < b.given
  end)
  return list
end

-- Says how many of the items {{split}...} have a hit, by split; returns that.
function channels.coverage(report, ids, channel, found)
  local order, counts = {}, {}
  for i, hits in ipairs(found.hits) do
    local split = ids[i].split
    if not counts[split] then order[#order + 1], counts[split] = split, 0 end
    if hits > 0 then counts[split] = counts[split] + 1 end
  end
  local parts = {}
  for i, split in ipairs(order) do parts[i] = split .. " " .. counts[split] end
  report:say("%s: items with a hit: %s", channel, table.concat(parts, ", "))
  return counts
end

-- What the file itself tells of the tool that made it.
local function told_text(value)
  return value and text.utf8(value)
end

-- Reads all of them for the items {{id, split}...}. Returns what bench.json
-- tells of each, and the list of hits that break the inductive rule.
function channels.read(builder, report, ids, args)
  local told, leaks = json.array(), {}
  local limits = { evalue = args.evalue, most = args.neighbours }
  for i, source in ipairs(sources_of(args)) do
    if not args.train then fail("evidence needs --train: hits are training enzymes") end
    local found, more = evidence.read(builder, report, source, limits)
    table.move(more, 1, #more, #leaks + 1, leaks)
    told[i] = { channel = source.channel, file = string.match(source.path, "([^/]*)/*$"),
      format = source.format, columns = source.columns, score = source.score,
      tool = told_text(found.tool), version = told_text(found.version),
      commands = found.command and { told_text(found.command) },
      rows = found.rows, hits = found.chosen,
      covered = channels.coverage(report, ids, source.channel, found) }
  end
  return told, leaks
end

return channels
