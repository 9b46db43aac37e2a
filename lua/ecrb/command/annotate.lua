-- `ecrb annotate proteins.fasta --train DB`: sequences without labels in, one
-- row each out: an EC number or its deepest safe prefix, with what supports it.
--
-- Work goes batch by batch: search, annotate, keep the rows, forget the rest.
-- While a batch is annotated the next one is searched. After a kill the same
-- command goes on with the batch that was under way.

local alone = require "ecrb.alone"
local batch = require "ecrb.annotate.batch"
local counted = require "ecrb.counted"
local execute = require "ecrb.execute"
local embedding = require "ecrb.search.embedding"
local lines_of = require "ecrb.lines"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local plan = require "ecrb.search.plan"
local run_options = require "ecrb.run_options"
local sched = require "core.sched"
local search = require "ecrb.annotate.search"
local shard = require "ecrb.shard"
local status = require "ecrb.status"
local stream = require "ecrb.annotate.stream"
local system = require "core.system"
local task = require "ecrb.annotate.task"
local writer = require "ecrb.writer"

local PAUSE = 0.05 -- seconds between looks at a search

local command = { summary = "EC numbers for sequences without labels" }

function command.configure(p)
  p:argument("FASTA", "protein sequences, plain or gzip'ed; - reads them from standard input and "
    .. "prints the result"):target("fasta"):argname("FASTA")
  p:option("--train", "training set: FASTA, a folder with train.fasta, or an index made before")
    :argname("DB")
  p:option("--ecs", "its EC numbers: a table with the columns id and ec (default: DB with the "
    .. "ending .tsv)"):argname("TSV")
  p:option("--index", "folder for the index of the training set (default: in the cache)")
    :argname("FOLDER")
  p:option("--tree", "EC list, Expasy's enzyme.dat or ExplorEnz's table (default: bundled)")
    :argname("FILE")
  p:option("--method", "method script or id; safe asks no model"):argname("METHOD")
    :default("safe")
  p:option("-o --out", "result (default: FASTA's name with .ec.tsv, here); - prints it")
    :argname("FILE")
  p:mutex(p:flag("--tsv", "a row a sequence between tabs (default)"),
    p:flag("--jsonl", "a JSON object a line, with more of the evidence"))
  p:option("--page", "children of a node that a walk offers at once")
    :convert(numbers.whole(2)):argname("N"):default("20")
  p:option("--work", "folder for unfinished work (default: the result's name with .work)")
    :argname("FOLDER")
  p:flag("--keep", "every batch stays: its benchmark and its run")
  p:flag("--force", "a result of that name is replaced")
  plan.options(p)
  embedding.options(p)
  run_options.model(p)
  p:mutex(shard.option(p),
    p:option("--gather", "the results of N shards in one, nothing is annotated"):argname("N")
      :convert(numbers.whole(1)))
end

local columns = [[

Columns of a row (a JSON object has more of the same):
   id          the first word of the FASTA header
   length      residues
   ec          the EC number, or its deepest safe prefix; - for none
   level       how many of its levels are told, 0 to 4
   also        further EC numbers of an enzyme with several
   confidence  what the method states: a model's probability, or a share of votes
   agreement   channels whose first hit carries ec / channels with a hit
   support     the first supporter of each channel: name, identity, EC numbers
   stop        answered, abstained, no_neighbour, empty (no residue), too_long
               (over 100,000 residues, not searched), invalid, unreadable,
               truncated, refused, failed, script
   message     more about it
Exit code 1: some sequences ended in `failed` (the same command asks for these
again, and only for these) or `script`.
The rows of --vectors stand in the order of FASTA; sequences may lack one.
]]

function command.more_help()
  return columns
end

-- {==================================================================
-- Progress
-- ===================================================================

local function describe(state, elapsed)
  return string.format("%d/%d sequences  %s  ETA %s", state.done, state.total, state.doing,
    status.eta(state, elapsed))
end

local function calls_of(opened)
  local client = opened.client:state()
  return string.format("%d calls in flight, %d sent%s", client.inside, opened.counts.sent,
    client.reason and ", " .. client.reason or "")
end

local function progress_of(this)
  local state = { done = 0, kept = 0, total = this.total, doing = "" }
  local line = status.new(function () return state end, describe)
  return state, function (doing)
    state.doing = doing
    if not this.args.quiet then line:tick() end
  end, line
end
-- }==================================================================

-- The next batch that has no rows yet, with its searches begun.
local function next_search(this, queue, state)
  local one = queue:next()
  while one and batch.is_done(this, one.number) do
    state.done, state.kept = state.done + #one.queries, state.kept + #one.queries
    batch.carry(this, one.number)
    one = queue:next()
  end
  if not one then return nil end
  local place = batch.folder(this, one.number)
  system.mkdir(place)
  return { batch = one, search = search.new(this, one, place) }
end

-- Searches to the end, inside the loop, so that an interrupt is heard. Returns how
-- the loop ended.
local function search_through(this, one, tick)
  local how, ok, problem = alone(this.shared.loop, function ()
    while not one:advance(0) do sched.sleep(PAUSE) end
  end, { limits = { seconds = 1e6 }, tick = function () tick(one:doing()) end })
  local cancelled = type(problem) == "table" and problem.code == "cancelled"
  if ok == false and not cancelled then error(problem, 0) end
  return how
end

-- Annotates a batch while the one after it is searched.
local function annotate(this, current, coming, tick)
  local calls = this.setting.method.model
  return batch.annotate(this, current.batch, function (opened)
    if coming then coming.search:advance(0) end
    tick(calls and calls_of(opened) or string.format("batch %d", current.batch.number))
  end)
end

-- Works through the file. Returns "done", or how and why it ends before.
local function work(this, queue, state, tick)
  local current = next_search(this, queue, state)
  while current do
    this.searching = current.search
    local searched = search_through(this, current.search, tick)
    if searched ~= "done" then return searched end
    local coming = next_search(this, queue, state)
    this.searching = coming and coming.search
    if coming then coming.search:advance(0) end
    local how, reason = annotate(this, current, coming, tick)
    if how ~= "done" then return how, reason end
    state.done = state.done + #current.batch.queries
    current = coming
    collectgarbage()
  end
  return "done"
end

-- The same; a search that is under way at its end is ended too.
local function work_and_close(this, ...)
  local queue = stream.open(this.args.fasta, this.survey, this.plan.batch, this.belongs)
  this.queue = queue
  local good, how, reason = pcall(work, this, queue, ...)
  if this.searching then this.searching:close() end
  if not good then error(how, 0) end
  return how, reason
end

-- {==================================================================
-- The result
-- ===================================================================

local function each_rows(this, take)
  local number = 1
  while system.exists(batch.rows(this, number)) do
    for block in lines_of(batch.rows(this, number), 1 << 16) do take(block) end
    number = number + 1
  end
end

local function write_result(this)
  if this.out == "-" then
    out.write(this.format.header)
    return each_rows(this, out.write)
  end
  writer.whole(this.out, function (file)
    file:write(this.format.header)
    each_rows(this, function (block) file:write(block) end)
  end)
end

local function sum_counts(this)
  local sums, number = {}, 1
  while system.exists(batch.rows(this, number)) do
    for name, n in pairs(batch.counts(this, number)) do sums[name] = (sums[name] or 0) + n end
    number = number + 1
  end
  return sums
end

local function say_counts(this, sums)
  local names, parts = {}, {}
  for name in pairs(sums) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do parts[i] = string.format("%s %d", name, sums[name]) end
  io.stderr:write(counted("%d {sequence|sequences}: %s\n", this.total,
    table.concat(parts, ", ")))
  if #this.survey.repeats > 0 then
    io.stderr:write(counted("%d {record that repeats an earlier one was|records that repeat an "
      .. "earlier one were} passed over\n", #this.survey.repeats))
  end
  if this.survey.odd > 0 then
    io.stderr:write(counted("%d {sequence|sequences} had lower-case letters, gaps or inner stops "
      .. "(searched as X)\n", this.survey.odd))
  end
  if this.queue.nucleic > 0 then
    io.stderr:write(counted("%d {sequence holds|sequences hold} no letter but A, C, G, T, U and N: "
      .. "{is it a gene|are they genes}? Proteins are wanted\n", this.queue.nucleic))
  end
end

-- Removes the work, or keeps it for calls that failed.
local function put_away(this, failed)
  if failed then
    system.write(this.work .. "/failed", failed .. "\n")
    io.stderr:write(counted("%d failed {call is|calls are} made again by the same command (%s)\n",
      failed, this.work))
  elseif this.args.keep then
    system.remove(this.work .. "/failed")
  else
    system.remove(this.work)
  end
end

local function finish(this)
  write_result(this)
  local sums = sum_counts(this)
  say_counts(this, sums)
  put_away(this, sums.failed)
  return ((sums.failed or 0) + (sums.script or 0)) > 0 and 1 or 0
end
-- }==================================================================

local function say_stop(this, how, reason)
  if how == "refused" then io.stderr:write("ecrb: ", tostring(reason), "\n") end
  if how == "paused" then io.stderr:write("paused: ", tostring(reason), "\n") end
  if how == "interrupted" then io.stderr:write("interrupted\n") end
  io.stderr:write("nothing is lost: the same command goes on from here (", this.work, ")\n")
  return execute.exit_codes[how]
end

function command.run(args)
  args.format = args.jsonl and "jsonl" or "tsv"
  args.hits = args.neighbours
  if args.gather then return require "ecrb.annotate.gather"(args) end
  local this = task.open(args)
  for _, line in ipairs(this.told) do io.stderr:write(line, "\n") end
  local state, tick, line = progress_of(this)
  local good, how, reason = pcall(work_and_close, this, state, tick)
  line:clear()
  if not good then error(how, 0) end
  if how ~= "done" then return say_stop(this, how, reason) end
  return finish(this)
end

return command
