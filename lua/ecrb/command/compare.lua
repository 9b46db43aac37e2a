-- `ecrb compare A B...`: every other arm against the first, over the same
-- items. An arm is a run's folder, or several, separated by commas, that are
-- runs of one setting with different seeds.

local choices = require "ecrb.report.choices"
local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local folded = require "ecrb.folded"
local json = require "ecrb.json"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local paired = require "ecrb.report.paired"
local scored = require "ecrb.report.scored"
local seeds = require "ecrb.report.seeds"
local summary = require "ecrb.report.summary"
local tables = require "ecrb.tables"

local command = {
  summary = "paired differences between runs, and the items that flipped",
}

-- The margin of equivalence, of `ablate` too.
function command.margin_option(parser)
  parser:option("--margin", "largest difference that counts as none, stated "
    .. "beforehand"):convert(numbers.within { least = 0, most = 1 })
    :default("0.02"):argname("X")
end

function command.configure(parser)
  parser:argument("arms", "run folder, or several seeds of one setting "
    .. "separated by commas"):args("+"):argname("RUN")
  command.margin_option(parser)
  parser:flag("--common", "compare the items that all runs have, whatever "
    .. "else they have or still lack, and whoever made them")
  parser:option("--flips", "flipped items to list"):default("20")
    :convert(numbers.whole(0)):argname("N")
  choices.bootstrap(parser)
  parser:option("--bench", "where the benchmark of the runs stands")
  choices.forms(parser, "everything as JSON", "the differences as CSV")
end

local function open_arm(word, options)
  local own = {}
  for folder in string.gmatch(word, "[^,]+") do
    own[#own + 1] = scored.open(folder, options, true)
  end
  if not own[1] then fail("an empty word is no run folder") end
  seeds.check(own)
  return own
end

-- The runs of all arms in one list, and for each arm its positions there.
-- `names`, if given, says what each arm is beside its folder.
local function open_arms(words, names, options)
  local runs, arms = {}, {}
  if #words < 2 then
    fail("one run alone compares with nothing; name another, or several seeds "
      .. "of a setting joined by commas: `ecrb compare A B1,B2`")
  end
  for a, word in ipairs(words) do
    arms[a] = { word = word, name = names and names[a] }
    for _, run in ipairs(open_arm(word, options)) do
      runs[#runs + 1] = run
      table.insert(arms[a], #runs)
    end
  end
  return runs, arms
end

-- All differences to the first arm: {arm=, differences=, flips=} each.
local function compare(items, arms, how)
  local results, family = {}, {}
  for a = 2, #arms do
    local result = { arm = arms[a], differences = {},
                     flips = paired.flips(items, arms[1], arms[a]) }
    for i, figure in ipairs(paired.figures) do
      local d = paired.difference(items, arms[1], arms[a], figure[1], how)
      d.label = figure[2]
      result.differences[i] = d
      family[#family + 1] = d
    end
    results[#results + 1] = result
  end
  paired.adjust(family)
  return results, #family
end

local function p_text(p)
  if not p then return "-" end
  return p < 0.001 and "<.001" or string.format("%.3f", p)
end

local function difference_table(title, result)
  local rows = {}
  for i, d in ipairs(result.differences) do
    rows[i] = { d.label, { d.a }, { d.b },
      { d.mean, d.low, d.high, signed = true }, p_text(d.p), p_text(d.holm),
      d.only_a and string.format("%d/%d", d.only_b, d.only_a) or "-",
      p_text(d.mcnemar), { d.detectable }, d.equivalent and "yes" or "no" }
  end
  return { title = title, rows = rows,
    columns = { "", "A", "B", "B - A, 95%", "p", "Holm", "B/A", "McN.", "det.",
      "same" } }
end

local function leaf(record)
  return record.path[#record.path] or "-.-.-.-"
end

-- An arm's answer to a flipped item: that of its run, or how many of its runs are
-- right.
local function answer_of(arm, record, share)
  if #arm == 1 then return leaf(record), record.outcome end
  return string.format("%d of %d right", math.floor(share * #arm + 0.5), #arm), ""
end

local function flip_row(flip, a, b)
  local row = { flip.change > 0 and "gained" or "lost", flip.a.name }
  row[3], row[4] = answer_of(a, flip.a, flip.mean_a)
  row[5], row[6] = answer_of(b, flip.b, flip.mean_b)
  row[7] = flip.a.key
  return row
end

local function flips_table(result, first, most)
  local rows, flips = {}, result.flips
  for i = 1, math.min(most, #flips) do
    rows[i] = flip_row(flips[i], first, result.arm)
  end
  local notes = #flips > #rows and { string.format("... and %d more (--flips "
    .. "%d lists all)", #flips - #rows, #flips) } or nil
  return { title = counted("Flipped at L4: %d {item|items}", #flips), rows = rows,
           notes = notes, columns = { "", "item", "A", "", "B", "", "id" } }
end

local function arm_title(letter, arm, runs)
  local run = runs[arm[1]]
  local several = #arm > 1 and string.format(" (%d runs)", #arm) or ""
  local lines = summary.title(run) .. "\n" .. arm.word .. several
  local name = arm.name and "`" .. arm.name .. "`, " or ""
  return letter .. ": " .. name .. string.gsub(lines, "\n", "\n   ")
end

-- What is to be known where an arm is several runs.
local function seeds_note(arms)
  local single, two, several = false, false, false
  for _, arm in ipairs(arms) do
    if #arm > 1 then several = true else single = true end
    two = two or #arm == 2
  end
  if not several then return nil end
  return "Arms of several runs: an item counts with the mean of its runs; what "
    .. "the choice of seeds adds to the variance is in the intervals (Student's "
    .. "t)" .. (single and ", save that of an arm with a single run." or ".")
    .. (two and " Two runs tell little of it: where seeds scatter widely their 95% intervals "
      .. "held the truth in 92% of simulated cases, those of three runs in 93%." or "")
end

local function notes_of(n, family, how, arms)
  return {
    counted("%d {item|items}. B - A with its 95%% interval: paired percentile bootstrap, %d "
      .. "{resample|resamples}, seed %d; p two-sided; Holm over %d {test|tests}.", n,
      how.replicates, how.seed, family),
    string.format("B/A: items that B alone and A alone have right; McN.: McNemar's exact test "
      .. "of them; det.: the true difference that is found with 80%% power; same: within %g, "
      .. "the 90%% interval lies inside the margin (two one-sided tests at 5%%).", how.margin),
    seeds_note(arms),
  }
end

-- Whatever a form is not text of stands in comments there.
local function beside(text, page, form)
  text = folded(text, page) .. "\n"
  return form == "tex" and "% " .. string.gsub(text, "\n(.)", "\n%% %1") or text
end

-- `notes` says how the figures were made.
local function written(runs, arms, results, args, form, notes)
  local page = tables.page()
  local parts = { beside(arm_title("A", arms[1], runs), page, form) }
  for _, result in ipairs(results) do
    local title = arm_title("B", result.arm, runs)
    parts[#parts + 1] = tables.write(form,
      difference_table(title, result), page)
    if args.flips > 0 and result.flips[1] then
      parts[#parts + 1] = tables.write(form,
        flips_table(result, arms[1], args.flips), page)
    end
  end
  parts[#parts + 1] = beside(table.concat(notes, "\n"), page, form)
  return table.concat(parts, "\n")
end

local function plain(d)
  local fields = {}
  for name, value in pairs(d) do
    if name ~= "label" then fields[name] = value end
  end
  return fields
end

local function as_json(items, arms, results, args)
  local list = json.array()
  for i, result in ipairs(results) do
    local differences, flips = json.array(), json.array()
    for k, d in ipairs(result.differences) do differences[k] = plain(d) end
    for k, flip in ipairs(result.flips) do
      flips[k] = { item = flip.a.key, name = flip.a.name, change = flip.change,
                   a = json.array(flip.a.path), b = json.array(flip.b.path),
                   mean_a = flip.mean_a, mean_b = flip.mean_b }
    end
    list[i] = { b = result.arm.word, differences = differences, flips = flips }
  end
  return json.pretty { a = arms[1].word, items = #items, margin = args.margin,
                       scorer = scored.version, comparisons = list }
end

local function as_csv(arms, results)
  local columns = { "a", "b", "figure", "mean_a", "mean_b", "difference", "low",
                    "high", "p", "holm", "mcnemar", "detectable",
                    "equivalent" }
  local rows = {}
  for _, result in ipairs(results) do
    for _, d in ipairs(result.differences) do
      rows[#rows + 1] = { arms[1].word, result.arm.word, d.figure, d.a, d.b,
        d.mean, d.low, d.high, d.p, d.holm, d.mcnemar, d.detectable,
        tostring(d.equivalent) }
    end
  end
  return tables.write("csv", { columns = columns, rows = rows })
end

function command.run(args)
  local runs, arms = open_arms(args.arms, args.names, { bench = args.bench, opened = {},
    partial = args.common, partial_by = "--common" })
  local items = paired.items(runs, args.common)
  local how = { replicates = args.replicates, seed = args.seed,
                margin = args.margin }
  local results, family = compare(items, arms, how)
  if args.json then
    out.write(as_json(items, arms, results, args))
  elseif args.csv then
    out.write(as_csv(arms, results))
  else
    out.write(written(runs, arms, results, args, choices.form(args),
      notes_of(#items, family, how, arms)))
  end
end

return command
