-- Evidence out of files that search tools wrote: which channels there are, how
-- a command line names their files, and what of them breaks the inductive rule.

local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local system = require "core.system"

local evidence = {}

local M8 = "query target fident alnlen mismatch gapopen qstart qend tstart tend "
  .. "evalue bits"

-- In the order of the channels; `columns` are usual ones (none: outfmt 6).
evidence.sources = {
  { option = "blast", channel = "blast", format = "tabular",
    about = "BLAST or DIAMOND, outfmt 6 or 7" },
  { option = "hmmer", channel = "hmmer", format = "hmmer",
    about = "phmmer --tblout or --domtblout; FILE:swapped if the items are its targets" },
  { option = "esm-knn", channel = "esm_knn", format = "tabular",
    columns = "query target cosine*", about = "neighbours by embedding" },
  { option = "structure", channel = "structure", format = "tabular", columns = M8,
    about = "Foldseek easy-search" },
  { option = "active-site", channel = "active_site", format = "folddisco",
    about = "Folddisco, a table or a folder of one per item" },
  { option = "mmseqs", channel = "mmseqs", format = "tabular", columns = M8,
    about = "MMseqs2 easy-search (with --alignment-mode 3; else its identities are estimates)" },
}

local kinds = { bitscore = "bits", bits = "bits", alntmscore = "tm", qtmscore = "tm",
  ttmscore = "tm" }

-- The column marked with `*` is the score; its kind is its name.
local function marked(columns)
  local score = columns and string.match(columns, "([^%s,]+)%*")
  return columns and (string.gsub(columns, "%*", "")), score
end

-- Splits FILE:COLUMNS; what is there under its whole name has no columns.
local function parse(text)
  if system.exists(text) then return text end
  local path, columns = string.match(text, "^(.*):([^:/]+)$")
  return path or text, columns
end

-- HMMER's tables have their own columns; all there is to say is that the item
-- is the target (hmmsearch with a training profile, a reverse search).
local function hmmer_source(kind, path, declared)
  if declared and declared ~= "swapped" then
    fail("--%s: `%s`: a HMMER table has its own columns; only FILE:swapped says that "
      .. "the items are its targets", kind.option, declared)
  end
  return { channel = kind.channel, format = "hmmer", path = path,
    swapped = declared ~= nil or nil }
end

-- The source that an option's text names.
function evidence.source(kind, text)
  local path, declared = parse(text)
  if kind.format == "hmmer" then return hmmer_source(kind, path, declared) end
  local columns, score = marked(declared or kind.columns)
  local source = { channel = kind.channel, format = kind.format, path = path,
    columns = columns, score = score }
  if score then source.kind = kinds[score] or score end
  if kind.format == "folddisco" then source.kind = "residues" end
  return source
end

-- A source `CHANNEL=FILE[:COLUMNS]` of any name, as tabular.
function evidence.named(text)
  local channel, rest = string.match(text, "^([%w_]+)=(.+)$")
  if not channel then
    fail("--evidence: `%s` is not CHANNEL=FILE[:COLUMNS]", text)
  end
  for _, kind in ipairs(evidence.sources) do
    if kind.channel == channel then return evidence.source(kind, rest) end
  end
  return evidence.source({ channel = channel, format = "tabular" }, rest)
end

local reasons = {
  self = "is the item itself",
  item = "is a test item",
  unknown = "is not in the training set",
}

-- The hits that break the inductive rule but for the first `known` ones, a
-- sentence each.
function evidence.leaks(path, intruders, known)
  local list = {}
  for i = known + 1, #intruders do
    local intruder = intruders[i]
    list[#list + 1] = string.format("%s:%d: the neighbour %s of the item %s %s", path,
      intruder.line, intruder.neighbour, intruder.item, reasons[intruder.kind])
  end
  return list
end

-- The files of a source with the item each is about, if it is about one.
local function files_of(source)
  if system.kind(source.path) ~= "folder" then return { { source.path } } end
  if source.format ~= "folddisco" then
    fail("%s: is a directory; give a file in it", source.path)
  end
  local files = {}
  for i, name in ipairs(system.list(source.path)) do
    files[i] = { source.path .. "/" .. name, string.match(name, "^(.-)%.%a[%w.]*$") or name }
  end
  return files
end

-- What is odd about a file, or worth knowing: how many, and the sentence. A `%d`
-- is that number.
local function remarks(source, found)
  local structure = source.channel == "structure" and found.weak == found.rows
  return {
    { found.weak, "%d {row|rows} over the E-value limit, not used" .. (structure and ": in "
      .. "TMalign's mode that column holds TM-scores; declare it as alntmscore*" or "") },
    { #found.hits - found.searched, "%d {item|items} of which the file says nothing" },
    { found.tied, "%d {item|items} whose first two hits differ in nothing but their ids, "
      .. "which decide" },
    { found.foreign, "%d {row|rows} of queries that are no items, passed over" },
    { found.decorated, "%d {row|rows} whose ids are known without their decoration" },
    { found.unread, "%d {column|columns} behind the twelve standard ones {is|are} not read; to "
      .. "have {it|them} read name all columns: FILE:COLUMNS, see --help" },
    { found.uneven, "%d {row|rows} whose residue list does not fit the motif" },
    { found.same_tm, "alntmscore equals ttmscore in all %d rows, a fault that Foldseek has "
      .. "when columns are asked for in some orders: prefer prob or bits as the score" },
  }
end

local function say(report, source, found)
  report:say("%s: %d {row|rows} of %s, %d {hit|hits} of %d {item|items} kept", source.channel,
    found.rows, source.path, found.chosen, found.covered)
  for _, remark in ipairs(remarks(source, found)) do
    local n, sentence = remark[1], remark[2]
    if n > 0 then report:say("%s: " .. sentence, source.channel, n) end
  end
end

-- Reads a source with the limits {evalue=, most=}. Returns what was found and
-- the list of hits that break the inductive rule.
function evidence.read(builder, report, source, limits)
  local found, leaks, known, uneven = nil, {}, 0, 0
  for _, file in ipairs(files_of(source)) do
    found = builder:evidence(source.channel, file[1], { format = source.format,
      columns = source.columns, score = source.score, query = file[2],
      swapped = source.swapped,
      kind = source.kind, evalue = limits.evalue, most = limits.most })
    local more = evidence.leaks(file[1], found.intruders, known)
    table.move(more, 1, #more, #leaks + 1, leaks)
    known, uneven = #found.intruders, uneven + found.uneven
  end
  if not found then fail("%s: holds no file", source.path) end
  found.uneven = uneven
  say(report, source, found)
  return found, leaks
end

-- Stops the build where the training set is not what it must be.
function evidence.refuse(leaks)
  if #leaks == 0 then return end
  local shown = table.concat(leaks, "\n  ", 1, math.min(#leaks, 50))
  if #leaks > 50 then shown = shown .. "\n  ..." end
  fail("%s\n  %s\nevidence must come from the training set alone: search again without these, "
    .. "or mend the training table", counted("not inductive: %d {case|cases}", #leaks), shown)
end

return evidence
