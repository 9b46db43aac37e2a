-- The client alone, its journal included: N bodies of 2 KB are sent, W at once;
-- each reply is judged and stands in the journal before it counts.
-- client.lua URL N W FILE
local call_key = require "ecrb.call_key"
local core_journal = require "core.journal"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"
local model = require "ecrb.model"
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
loop:run {
  next = function ()
    if begun == n then return nil end
    begun = begun + 1
    local i = begun
    return require("core.sandbox").unwatched(function () return call(i) end), i
  end,
  done = function (ok, answered) good = good + (ok and answered and 1 or 0) end,
  width = width + 32,
}
journal:close()
if good < n then error(string.format("%d of %d calls got their reply", good, n)) end
