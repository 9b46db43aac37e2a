-- `ecrb care retrieve`: ranks the EC numbers for each query by the cosine of
-- given vectors, as CARE evaluates CREEP, CLIPZyme and its similarity baseline.
-- With a second pair of vectors (text) the two ranks are averaged; equal
-- cosines share their mean rank, equal means stand in the order of the list.

local counted = require "ecrb.counted"
local ec_list = require "ecrb.care.ec_list"
local fail = require "ecrb.fail"
local nearest = require "core.nearest"
local numbers = require "ecrb.numbers"
local output = require "ecrb.care.output"
local split_file = require "ecrb.care.split_file"

local action = { summary = "EC numbers ranked by the cosine of given vectors" }

function action.configure(p)
  p:option("--queries", "vectors of the queries, a row each"):argname("Q.npy")
    :count(1)
  p:option("--query-ids", "CARE's split file: whose vectors they are, row by row")
    :argname("SPLIT.csv"):count(1)
  p:option("--centres", "vectors of the EC numbers, a row each")
    :argname("C.npy"):count(1)
  p:option("--centre-ids", "the EC numbers, one a line")
    :argname("EC_list.txt"):count(1)
  p:option("--text-queries", "text vectors of the queries, averaged in")
    :argname("TQ.npy")
  p:option("--text-centres", "vectors of the EC numbers that the text is held "
    .. "against (default: those of --centres)"):argname("TC.npy")
  p:option("-k", "columns of the ranking; 0: all EC numbers"):convert(numbers.whole(0))
    :default("50"):argname("K")
  p:option("-o --out", "the ranking to write (default: standard output)")
    :argname("FILE.csv")
end

local function check_rows(vectors, path, wanted, of)
  if #vectors ~= wanted then
    fail("%s: has %d {row|rows}, %s has %d; they must be the same, in the same order",
      path, #vectors, of, wanted)
  end
  return vectors
end

-- {===================================================================
-- Two rankings into one
-- ====================================================================

-- Ranks by row out of a sorted list; equal cosines share their mean rank.
local function add_ranks(sums, rows, cosines)
  local first = 1
  while first <= #rows do
    local last = first
    while cosines[last + 1] == cosines[first] do last = last + 1 end
    for i = first, last do
      sums[rows[i]] = (sums[rows[i]] or 0) + (first + last) / 2
    end
    first = last + 1
  end
  return sums
end

local function by_mean_rank(search, text_search)
  local query, rows, cosines = search()
  if not query then return nil end
  local sums = add_ranks({}, rows, cosines)
  add_ranks(sums, select(2, text_search()))
  table.sort(rows, function (a, b)
    if sums[a] ~= sums[b] then return sums[a] < sums[b] end
    return a < b
  end)
  return query, rows
end
-- }===================================================================

local function open_search(args, n_queries, n_centres, queries, centres, k)
  return nearest.search(
    check_rows(nearest.vectors(queries), queries, n_queries, args.query_ids),
    check_rows(nearest.vectors(centres), centres, n_centres, args.centre_ids), k)
end

-- What hands out query by query: its number and the rows of its ECs in order.
local function ranked(args, n_queries, n_centres, k)
  local centres = args.centres
  if not args.text_queries then
    return open_search(args, n_queries, n_centres, args.queries, centres, k)
  end
  local search = open_search(args, n_queries, n_centres, args.queries, centres,
    n_centres)
  local text = open_search(args, n_queries, n_centres, args.text_queries,
    args.text_centres or centres, n_centres)
  return function () return by_mean_rank(search, text) end, search, text
end

local function note(search, what)
  if not search then return end
  local report = search:report()
  for _, found in ipairs { { report.zero_queries, "{query is|queries are}" },
                           { report.zero_references, "{centre is|centres are}" } } do
    local n, who = found[1], found[2]
    if n > 0 then
      io.stderr:write(counted("note: %s: %d " .. who .. " all zeros: {its|their} cosine is 0\n",
        what, n))
    end
  end
end

function action.run(args)
  if args.text_centres and not args.text_queries then
    fail("--text-centres: is of no use without --text-queries")
  end
  local split, ecs = split_file(args.query_ids), ec_list(args.centre_ids)
  local k = args.k == 0 and #ecs or math.min(args.k, #ecs)
  local step, first, second = ranked(args, #split.rows, #ecs, k)
  local rows = {}
  for query, places in step do
    local cells = split.rows[query].cells
    for i = 1, k do cells[#split.names + i] = ecs[places[i]] end
    rows[query] = cells
  end
  output(args.out, split.names, k, rows)
  note(first or step, args.queries)
  note(second, args.text_queries)
end

return action
