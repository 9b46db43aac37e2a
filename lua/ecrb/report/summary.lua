-- The scores of a run as a table: a line a figure, a column a group (a split, a
-- class, a bin), and what the reader must know to read it.

local metrics = require "ecrb.report.metrics"
local outcomes = require "ecrb.outcomes"
local scored = require "ecrb.report.scored"
local with_digits = require "ecrb.tables.cell".with_digits

local summary = {}

-- The lines in their order: {key, label, digits}; a key without label begins a
-- new block. A line that no group has is left out.
summary.lines = {
  { "n", "n" }, { "confidences", "confidences" },
  {},
  { "l1", "L1" }, { "l2", "L2" }, { "l3", "L3" }, { "l4", "L4" },
  { "macro_l4", "macro-L4" }, { "classes", "  classes" },
  {},
  { "valid", "valid-EC" }, { "hf", "H-F1" }, { "hp", "H-P" }, { "hr", "H-R" },
  { "hf_micro", "H-F1, micro" }, { "ece", "ECE" }, { "aurc", "AURC" },
  {},
  { "depth", "mean depth", 2 }, { "reach", "reach L4" },
  { "full_ec_precision", "full-EC prec." },
  { "consensus", "consensus depth", 2 }, { "share", "winning share" },
  { "set_precision", "set precision" }, { "set_recall", "set recall" },
  { "set_f1", "set F1" }, { "set_exact", "set exact" },
  {},
  { "saved", "calls saved", 2 },
  { "turns", "turns", 2 }, { "retrievals", "retrievals", 2 },
}

-- Adds a row of cells, one a group; nothing where no group has a value.
local function add_row(rows, label, cells, rule)
  local row, any = { label, rule = rule }, false
  for g = 1, #cells do
    row[g + 1] = cells[g]
    any = any or cells[g]
  end
  if any then rows[#rows + 1] = row end
  return any
end

local function each(groups, value)
  local cells = {}
  for g, group in ipairs(groups) do cells[g] = value(group.figures) or false end
  return cells
end

local function add_figures(rows, groups)
  local rule = false
  for _, line in ipairs(summary.lines) do
    local key, label, digits = line[1], line[2], line[3]
    if not key then
      rule = true
    elseif add_row(rows, label, each(groups, function (figures)
      return with_digits(figures[key], digits)
    end), rule) then
      rule = false
    end
  end
end

local function add_channels(rows, groups, channels)
  for _, channel in ipairs(channels) do
    local cells = each(groups, function (f) return f.calls[channel] end)
    add_row(rows, "  " .. channel, cells)
  end
end

-- Why items count as they do: the lines sum to n.
local function add_causes(rows, groups)
  local rule = true
  for _, cause in ipairs(outcomes) do
    local cells = each(groups, function (f)
      return cause == "answered" and f.causes[cause]
        or f.causes[cause] > 0 and f.causes[cause]
    end)
    add_row(rows, cause, cells, rule)
    rule = false
  end
end

-- 1234, 12k, 1235k: no wider than the other figures.
local function short(number)
  return number < 10000 and number or number // 1000 .. "k"
end

local function add_tokens(rows, groups)
  local rule = true
  for _, kind in ipairs { "prompt", "completion", "reasoning" } do
    local cells = each(groups, function (f)
      local number = f.tokens[kind] or 0
      return number > 0 and short(number)
    end)
    if add_row(rows, kind .. " tok.", cells, rule) then rule = false end
  end
end

local function with_base(method)
  return method.base and " over " .. method.base.id or ""
end

local kinds = {
  reader = "a program that reads the prompt, not a language model",
  host = "a function of the program around ecrb",
}

-- What was run, on two lines: method and book; model and benchmark.
function summary.title(run)
  local s = run.settings
  local kind = kinds[s.model.kind]
  return string.format("%s%s %s%s, %s book\nmodel %s%s, benchmark %s%s",
    s.oracle and "ORACLE (reads the labels): " or "", s.method.id,
    s.method.title or "", with_base(s.method), s.book, s.model.name,
    kind and " (" .. kind .. ")" or "", s.bench.name, s.shard
      and string.format(", shard %d of %d", s.shard.index, s.shard.of) or "")
end

-- What a table over a shard does not hold; nil for a whole run.
function summary.part_note(run)
  local shard = run.settings.shard
  if not shard then return nil end
  return string.format("PARTIAL: shard %d of %d of a run over %d items; `ecrb merge` puts the "
    .. "shards together.", shard.index, shard.of, shard.items)
end

-- How the figures of a run were made: whole sentences.
function summary.notes(run, how)
  local versions = run.manifest.versions or {}
  return {
    string.format("Intervals: 95%%, percentile bootstrap, %d resamples of the "
      .. "items, seed %d; Wilson's where all or none are right.",
      how.replicates, how.seed),
    string.format("ECE: 10 bins, %s edges, correct is %s. Causes sum to n. "
      .. "Scorer %d, run by ecrb %s.", how.ece_edges,
      how.ece_target == "leaf" and "L4" or "the committed node",
      scored.version, tostring(versions.ecrb)),
  }
end

local function notes_of(run, how)
  local notes = summary.notes(run, how)
  notes[#notes + 1] = summary.part_note(run)
  if run.pending > 0 then
    notes[#notes + 1] = string.format("UNFINISHED: %d of %d items are pending "
      .. "and not in this table.", run.pending, run.manifest.items_total)
  end
  return notes
end

-- Gives each group of a packed run its `figures`. Within a class there is no mean
-- over the classes: a multi-label item would bring its others.
function summary.add_figures(groups, options)
  for _, group in ipairs(groups) do
    group.figures = metrics.of(group.rows, options)
    if group.by == "class" and group.name ~= "all" then
      group.figures.macro_l4, group.figures.classes = nil, nil
    end
  end
end

-- The table of a run's groups (ecrb.tables).
function summary.describe(run, groups, options)
  local description = { title = summary.title(run), columns = { "" },
                        rows = {},
                        notes = notes_of(run, metrics.settings(options)) }
  for g, group in ipairs(groups) do description.columns[g + 1] = group.name end
  add_figures(description.rows, groups)
  add_channels(description.rows, groups, run.bench:channels())
  add_causes(description.rows, groups)
  add_tokens(description.rows, groups)
  return description
end

return summary
