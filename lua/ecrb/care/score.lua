-- `ecrb care score RANKING.csv...`: what CARE's own evaluation prints for a
-- ranking file, with intervals, and on request the paper's rule beside it.

local against = require "ecrb.care.against"
local answers = require "ecrb.care.answers"
local choices = require "ecrb.report.choices"
local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local ranking = require "ecrb.care.ranking"
local reports = require "ecrb.import.report"
local rules = require "ecrb.care.rules"
local system = require "core.system"
local tables = require "ecrb.tables"

local action = { summary = "ranking files scored by CARE's own rule" }

-- `1,5,10`.
local function number_list(word)
  local list, read = {}, numbers.whole(1)
  for part in string.gmatch(word .. ",", "([^,]*),") do
    local k = read(part)
    if not k then return nil, "`" .. word .. "` is no list of whole numbers of at least 1" end
    list[#list + 1] = k
  end
  return list
end

function action.configure(p)
  p:argument("rankings", "ranking files in CARE's format, or run folders")
    :args("+"):argname("RANKING.csv")
  p:option("-k", "how many ranked columns count, as 1 or 1,5,10")
    :convert(number_list):default("1"):argname("K")
  p:flag("--both", "the paper's ori_acc beside CARE's rule")
  p:option("--against", "CARE's split file: same rows, same labels, or an "
    .. "error"):argname("SPLIT.csv")
  p:option("--separator", "what separates the ECs of a cell (default: the one "
    .. "of `; `, `,`, `;` that the file holds)"):argname("TEXT")
  choices.forms(p, "as JSON, every digit", "as CSV, every digit")
  choices.bootstrap(p, 0)
end

-- `BLAST/30` out of a path that ends in
-- BLAST/30_protein_test_results_df.csv.
local function short(path)
  local folder, file = string.match(path, "([^/]+)/([^/]+)$")
  local name = string.gsub(file or path, "%.csv$", "")
  name = string.gsub(name, "_results_df$", "")
  name = string.gsub(string.gsub(name, "_protein_test$", ""), "_reaction_test$", "")
  return folder and folder .. "/" .. name or name
end

local function check_width(file, options)
  for _, k in ipairs(options.k) do
    if k > file.width then
      fail("%s: -k %d: the ranking has %s", file.path, k,
        counted("%d {column|columns}", file.width))
    end
  end
end

-- One row is what a trial leaves behind, and no test set.
local function is_leftover(file, report)
  if #file.rows > 1 then return false end
  report:say("%s: left out: %s; a test set has more, this looks like a leftover",
    file.path, #file.rows == 0 and "it has no row" or "it has one row")
  return true
end

local function score_file(file, options)
  check_width(file, options)
  if options.against then against.check(file, options.against) end
  file.results = {}
  for i, rule in ipairs(rules.of(file, options)) do
    file.results[i] = rules.apply(rule, file, options)
  end
  return file
end

-- The rankings that a word of the command line names: one file, or the splits
-- of a run.
local function rankings_of(path, options, report)
  if system.kind(path) == "folder" then return answers.rankings(path, {}) end
  local file = ranking.read(path, report, options.separator)
  return is_leftover(file, report) and {} or { file }
end

-- {==================================================================
-- What is printed
-- ===================================================================

local function percent(estimate)
  return { 100 * estimate[1], estimate[2] and 100 * estimate[2],
           estimate[3] and 100 * estimate[3], digits = 1 }
end

-- The columns of counts that are not zero throughout: {title, field}.
local function counts_of(files)
  local found = {}
  for _, count in ipairs { { "empty", "empty" }, { "no EC", "malformed" } } do
    for _, file in ipairs(files) do
      if file.results[1][count[2]] > 0 then
        found[#found + 1] = count
        break
      end
    end
  end
  return found
end

local function row_of(file, result, counts)
  local row = { short(file.path), result.rule.name, result.n }
  for _, count in ipairs(counts) do row[#row + 1] = result[count[2]] end
  for level = 4, 1, -1 do row[#row + 1] = percent(result.levels[level]) end
  return row
end

local function notes_of(files, counts, options)
  local notes = { "Percent, by CARE's rule: per gold label the best match in "
    .. "the pool, averaged over the labels." }
  if #counts > 0 then
    notes[2] = "empty: items without a prediction; no EC: predictions without "
      .. "three dots; both are 0.0.0.0."
  end
  local seen = {}
  for _, file in ipairs(files) do
    for _, result in ipairs(file.results) do
      local note = result.rule.note
      if note and not seen[note] then notes[#notes + 1] = note .. "." end
      seen[note or ""] = true
    end
  end
  if options.replicates > 0 then
    notes[#notes + 1] = string.format("Intervals: 95%%, percentile bootstrap, "
      .. "%d resamples of the items, seed %d; Wilson's where all or none are right.",
      options.replicates, options.seed)
  end
  return notes
end

local function describe(files, options)
  local counts, columns, rows = counts_of(files), { "ranking", "rule", "n" }, {}
  for _, count in ipairs(counts) do columns[#columns + 1] = count[1] end
  for level = 4, 1, -1 do columns[#columns + 1] = "L" .. level end
  for _, file in ipairs(files) do
    for i, result in ipairs(file.results) do
      rows[#rows + 1] = row_of(file, result, counts)
      rows[#rows].rule = i == 1 and #file.results > 1
    end
  end
  return { key = 3, columns = columns, rows = rows,
           notes = notes_of(files, counts, options) }
end

local function as_json(files)
  local list = json.array()
  for i, file in ipairs(files) do
    local results = json.array()
    for r, result in ipairs(file.results) do
      local levels = {}
      for level, estimate in ipairs(result.levels) do
        levels["l" .. level] = { value = estimate[1], low = estimate[2],
                                 high = estimate[3] }
      end
      results[r] = { rule = result.rule.name, k = result.rule.k, n = result.n,
        levels = levels, empty = result.empty, malformed = result.malformed }
    end
    list[i] = { file = file.path, columns = file.width,
                separator = file.separator, results = results }
  end
  return json.pretty { files = list }
end

local function write(files, args)
  if args.json then
    out.write(as_json(files))
    return
  end
  out.write(tables.write(choices.form(args), describe(files, args), tables.page()))
end
-- }==================================================================

function action.run(args)
  local report, files, left_out = reports.new(), {}, false
  for _, path in ipairs(args.rankings) do
    local found = rankings_of(path, args, report)
    left_out = left_out or #found == 0
    for _, file in ipairs(found) do files[#files + 1] = score_file(file, args) end
  end
  if #files > 0 then write(files, args) end
  out.flush()
  for _, line in ipairs(report:text()) do io.stderr:write("note: ", line, "\n") end
  return left_out and 1 or 0
end

return action
