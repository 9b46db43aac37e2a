-- The details of the items for the page's browser, packed in chunks of which the
-- page unpacks the one that it needs. They are lists, whose places the page's
-- data.js names.
--
-- Prompts repeat each other (the sequence, the hits, the instructions), so an
-- item's prompts are lists of numbers into one list of its paragraphs.

local brief = require "ecrb.brief"
local core_ec = require "core.ec"
local json = require "ecrb.json"
local or_null = json.or_null
local pack = require "core.pack"
local story = require "ecrb.report.story"

local dossier = {}

dossier.chunk = 8 -- items that are packed together

-- The numbers of a text's paragraphs, as `0 1 2`; those that are new get theirs.
local function number_parts(text, parts, known)
  local numbers, at = {}, 1
  repeat
    local stop = string.find(text, "\n\n", at, true)
    local part = string.sub(text, at, stop and stop - 1)
    local number = known[part]
    if not number then
      number = #parts
      known[part], parts[number + 1] = number, part
    end
    numbers[#numbers + 1] = number
    at = stop and stop + 2
  until not at
  return table.concat(numbers, " ")
end

-- A list of paragraphs, each once, and what makes a text the numbers of its
-- paragraphs.
local function new_parts()
  local parts, known, told = {}, {}, {}
  return parts, function (text)
    told[text] = told[text] or number_parts(text, parts, known)
    return told[text]
  end
end

local function evidence_of(run, record)
  local rows = {}
  for _, channel in ipairs(story.evidence(run, record)) do
    for _, hit in ipairs(channel.hits) do
      rows[#rows + 1] = { channel.channel, hit.rank, hit.neighbour, hit.shown,
        table.concat(hit.ec, ";"), string.format("%.4g %s", hit.score, hit.kind),
        or_null(hit.identity), or_null(hit.coverage), or_null(hit.evalue) }
    end
  end
  return rows
end

-- {what, first, last}, again and again.
local function reads_of(call)
  local list = {}
  for _, read in ipairs(call.reads or {}) do
    table.move({ read.what, read.first, read.last }, 1, 3, #list + 1, list)
  end
  return list
end

-- {role, numbers}, again and again.
local function messages_of(call, numbers)
  local list = {}
  for _, message in ipairs(call.messages or {}) do
    list[#list + 1] = message.role
    list[#list + 1] = numbers(message.content)
  end
  return list
end

local function call_of(call, numbers)
  return { or_null(call.step), or_null(call.sample), or_null(call.status),
           or_null(call.cause), #(call.attempts or {}), or_null(call.reasoning),
           or_null(call.text), call.text and json.null or or_null(call.raw),
           reads_of(call), messages_of(call, numbers) }
end

local function calls_of(record, journal, numbers)
  local list = {}
  for i, call in ipairs(journal and story.calls(record, journal) or {}) do
    list[i] = call_of(call, numbers)
  end
  return list
end

-- {name, value}, again and again.
local function notes_of(record)
  local list = {}
  for _, note in ipairs(record.notes or {}) do
    list[#list + 1] = tostring(note.name)
    list[#list + 1] = tostring(note.value)
  end
  return list
end

local function record_of(arm, record, calls)
  local usage = record.usage
  return { arm - 1, record.path, record.confidences or {}, or_null(record.message),
           or_null(record.stopped_at), or_null(record.share),
           or_null(record.consensus), record.others or {}, notes_of(record),
           record.channels, { usage.calls or 0, usage.prompt or 0,
             usage.completion or 0, usage.reasoning or 0 }, calls }
end

-- {ec, name} of every node that the labels or an answer name, again and again.
local function names_of(board, row, records)
  local tree, names, seen = board.bench:tree(), {}, {}
  local function add(path)
    for _, node in ipairs(path) do
      local name = not seen[node] and tree:has(node) and tree:name(node)
      seen[node] = true
      if name and name ~= "" then
        names[#names + 1] = node
        names[#names + 1] = name
      end
    end
  end
  for _, label in ipairs(board.bench:reveal(row.index)) do
    add(core_ec.path(label))
  end
  for arm = 1, #board.arms do add(records[arm] and records[arm].path or {}) end
  return names
end

-- What an item is, in words; then sequence and motifs, which reactions have not.
local function query_of(board, row)
  local query = board.bench:enzyme(row.index)
  if board.bench:item(row.index).reaction then
    return brief.reaction(query, "both", true), json.null, json.null
  end
  return brief.descriptors(query), query.sequence, brief.motifs(query)
end

-- All that is known of an item. `records`: its records by arm number;
-- `journals`: the journals of calls by arm number.
local function item_of(board, row, records, journals)
  local parts, numbers = new_parts()
  local words, sequence, motifs = query_of(board, row)
  local told = {}
  for arm = 1, #board.arms do
    local record = records[arm]
    if record then
      told[#told + 1] = record_of(arm, record,
        calls_of(record, journals[arm], numbers))
    end
  end
  return { words, sequence, motifs, evidence_of(board.arms[1].run, row),
           names_of(board, row, records), parts, told }
end

-- For each item its records by arm number.
local function by_item(board)
  local map = {}
  for _, row in ipairs(board.items) do map[row.key] = {} end
  for a, arm in ipairs(board.arms) do
    for _, record in ipairs(arm.run) do map[record.key][a] = record end
  end
  return map
end

local function open_journals(board, wanted)
  local journals = {}
  for a, arm in ipairs(wanted and board.arms or {}) do
    journals[a] = story.journal(arm.run)
  end
  return journals
end

-- Calls use(text) for every chunk in order: its items' details, deflated, in
-- base 64. With `brief_only` prompts and replies are left out.
function dossier.chunks(board, brief_only, use)
  local map, chunk = by_item(board), {}
  local journals = open_journals(board, not brief_only)
  for i, row in ipairs(board.items) do
    chunk[#chunk + 1] = item_of(board, row, map[row.key], journals)
    if #chunk == dossier.chunk or i == #board.items then
      use(pack.base64(pack.deflate(json.encode(chunk))))
      chunk = {}
    end
  end
  for _, journal in pairs(journals) do journal:close() end
end

return dossier
