-- The client alone, its journal included: N bodies of 2 KB are sent, W at once;
-- each reply is judged and stands in the journal before it counts.
-- client.lua URL N W FILE
local call_key = require "ecrb.call_key"
local core_journal = require "core.journal"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"
local model = require "ecrb.model"
local sandbox = require "core.sandbox"
local sched = require "core.sched"

local url, n, width, path = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4]
local stub = assert(model.new("stub", { base_url = url, model = "stub", key_optional = true }))
local loop = sched.loop(stub:times())
local session = stub:open(loop, { concurrency = width })
local journal = core_journal.open(path, "a")
local prompt = string.rep("MKAAVVTKDHHVDVTYKTLRSLKHGE ", 71)

local function keep(key, body, i, outcome)
  local rest = json.fields { item = i, attempts = outcome.attempts, raw = outcome.raw,
    status = outcome.status, ok = outcome.ok, cause = outcome.cause, class = outcome.class }
  journal:append(keyed_line.head(key) .. '"request":', body, ",", rest)
end

local function call(i)
  local body = json.encode(assert(stub:body {
    messages = { { role = "user", content = prompt .. i } }, seed = i }))
  local key = call_key.of(stub.identity, body, "item", "", i)
  local outcome = session:send(body, { key = key })
  keep(key, body, i, outcome)
  return outcome.ok
end

local begun, good = 0, 0

local worker = sandbox.unwatched(function ()
  while begun < n do
    begun = begun + 1
    if call(begun) then good = good + 1 end
  end
end)

local workers = 0
loop:run {
  next = function ()
    workers = workers + 1
    return workers <= width and worker or nil, workers
  end,
  done = function (ok, why) if not ok then error(why) end end,
  width = width,
}
journal:close()
if good < n then error(string.format("%d of %d calls got their reply", good, n)) end
