-- One question to a model: build the body, look for its answer in the journal,
-- send it where there is none, write down what came before it is used.

local call_key = require "ecrb.call_key"
local call_line = require "ecrb.call_line"
local core_text = require "core.text"
local json = require "ecrb.json"
local keyed_line = require "ecrb.keyed_line"
local oddities = require "ecrb.wire.oddities"
local record = require "ecrb.record"
local reply = require "ecrb.reply"
local sched = require "core.sched"
local task = require "ecrb.task"

local ask = {}

-- A seed of its own for each question, out of the run's: chains differ, and a
-- second run of the same command asks the same.
local function seed_for(run, context)
  local digest = core_text.sha256(run.seed, "\0", context.item.id, "\0", context.sample, "\0",
    context.asked)
  return tonumber(string.sub(digest, 1, 7), 16)
end

local wishes = { "temperature", "top_p", "max_tokens", "thinking", "stop", "choices", "tools" }

-- What the method asks for goes before the run's parameters.
local function request_of(run, context, messages, opt)
  local request = { messages = messages, seed = seed_for(run, context) }
  for _, name in ipairs(wishes) do
    local value = opt[name]
    if value == nil then value = run.parameters[name] end
    request[name] = value
  end
  return request
end

-- How the journal's line begins: the key first (the C side indexes by it), then
-- the request as it was sent.
local function before_request(key)
  return keyed_line.head(key) .. '"request":'
end

-- The line in pieces: the request, then every attempt, and the reply as it came.
-- (It may hold bytes that are no UTF-8; JSON cannot. They become U+FFFD.)
local function line_of(key, context, body, outcome)
  local rest = json.fields {
    item = context.item.id, shown = context.item.shown, sample = context.sample,
    ordinal = context.asked, step = context.step or json.null,
    attempts = outcome.attempts or json.array(), spent = outcome.spent,
    raw = (core_text.utf8(outcome.raw or "")), status = outcome.status or json.null,
    ok = outcome.ok, cause = outcome.cause or json.null, class = outcome.class,
    session = context.run.session,
  }
  return before_request(key), body, ",", rest
end

-- The run ends early: this item stays pending and no record is written of it.
local function give_up(context, reason)
  context.root.abandoned = true
  error(reason, 0)
end

-- With `--durability record` a reply waits until it is on the disk. One task
-- looks after it for all, since every turn of the disk takes all lines along.
local function wait_until_kept(run)
  local number = run.journal:count()
  run.keeping:enter()
  while run.journal:kept() < number do sched.sleep(0.001) end
  run.keeping:leave()
end

local function write_down(run, ...)
  run.journal:append(...)
  if run.keeping then wait_until_kept(run) end
end

-- Where the journal takes no line, on a full disk, the run is at its end.
local function append(context, ...)
  local run = context.run
  local ok, problem = pcall(write_down, run, ...)
  if ok then return end
  run:pause(type(problem) == "table" and problem.message or problem, "refused")
  give_up(context, problem)
end

-- What stands in a line, but its key and its request where they are as they
-- would be written now: most of the line is the request.
local function entry_of(line, body)
  local key = keyed_line.key(line)
  local from = key and #before_request(key) + 1
  if from and string.sub(line, from, from + #body) == body .. "," then
    line = "{" .. string.sub(line, from + #body + 1)
  end
  return json.decode(line)
end

-- `source` is the run or the replay that the line is out of.
local function read_recorded(context, source, line, body, choices)
  local run = context.run
  local entry, why = entry_of(line, body)
  local wrong = why or call_line.fault(entry)
  if wrong then
    run:pause(call_line.refusal_of(source, line, wrong), "refused")
    give_up(context, { code = "journal", message = run.paused })
  end
  local status = entry.status ~= json.null and entry.status or 200
  return run.model:read(status, entry.raw, body, choices), entry
end

-- What a model said is a reply, whatever it is worth. A call that failed is kept
-- under a key of its own, so that the item can be asked again.
local function is_failure(outcome)
  return not outcome.ok and record.outcome_of(outcome.cause) == "failed"
end

-- The line of a failure in the journal of this run; it may be there already.
local function append_failure(context, key, line_under)
  local run = context.run
  local own = call_key.failed(key, run.session)
  if not run.journal:find(own) then append(context, line_under(own)) end
end

-- A failure in the run that is replayed: of the item, so that it is none to be
-- asked again.
local function failed_before(context, key, body, choices)
  local run = context.run
  local line = run.replay:failure(key)
  if not line then return nil end
  append_failure(context, key, function (own)
    return keyed_line.under(own, line)
  end)
  local outcome, entry = read_recorded(context, run.replay, line, body, choices)
  if entry.cause == json.null or outcome.cause == entry.cause then return outcome end
  local last = entry.attempts[#entry.attempts] or {}
  return reply.failure(entry.cause, last.message)
end

local function recorded(context, key, body, choices)
  local run = context.run
  local source, line = run, run.journal:find(key)
  if not line and run.replay then
    source, line = run.replay, run.replay:find(key)
    if not line then return failed_before(context, key, body, choices) end
    append(context, line)
  end
  return line and read_recorded(context, source, line, body, choices) or nil
end

local function keep(key, context, body, outcome)
  if is_failure(outcome) then
    append_failure(context, key, function (own)
      return line_of(own, context, body, outcome)
    end)
  else
    append(context, line_of(key, context, body, outcome))
  end
end

local function count(context, outcome)
  local usage, sum = outcome.usage or {}, context.usage
  oddities.count(context.run.odd, outcome.flags)
  sum.calls = sum.calls + 1
  if not (usage.prompt and usage.completion) then sum.unknown = sum.unknown + 1 end
  sum.prompt = sum.prompt + (usage.prompt or 0)
  sum.completion = sum.completion + (usage.completion or 0)
  sum.reasoning = sum.reasoning + (usage.reasoning or 0)
end

local function check_goes_on(run, context)
  if run.loop:stopping() or run.paused then
    give_up(context, { code = "cancelled", message = "the run stops" })
  end
end

-- What the call may cost, held by the budget. A task that is ended while it
-- holds some is settled by its run.
local function reserved(run, context, body, request)
  check_goes_on(run, context)
  local need, why = run.budget:reserve(body, request.max_tokens)
  if not need then
    run:pause(why)
    give_up(context, { code = "budget", class = "run", message = why })
  end
  context.root.reserved[need] = true
  return need
end

local function settle(run, context, need, outcome)
  run.budget:settle(need, outcome)
  context.root.reserved[need] = nil
  outcome.spent = need.used
end

-- A program in the model's place tells of no attempts.
local function count_sendings(counts, outcome)
  local sent = outcome.sent or outcome.unsent and 0 or 1
  if sent > 0 then
    counts.sent = counts.sent + 1
    counts.again = counts.again + sent - 1
  end
  counts.missed = counts.missed + (outcome.missed or 0)
end

-- What the machine lacks for any request: libcurl, memory, files; or what no
-- request can be made of.
local LACKS = { none = true, memory = true, io = true, argument = true }

-- Where no request can be made at all, the run is at its end, and the item is
-- still to be asked.
local function exchanged(run, context, body, how)
  local ok, result = pcall(run.client.send, run.client, body, how)
  if ok then return result end
  if type(result) == "table" and LACKS[result.code] then
    run:pause(result.message, "refused")
    give_up(context, result)
  end
  error(result, 0)
end

local function send(run, key, context, body, request)
  local need = reserved(run, context, body, request)
  local outcome = exchanged(run, context, body, { key = key, choices = request.choices,
                                                  reservation = need })
  settle(run, context, need, outcome)
  count_sendings(run.counts, outcome)
  if not outcome.unsent then keep(key, context, body, outcome) end
  if outcome.class == "endpoint" or outcome.class == "run" then
    local wrong = outcome.class == "run" and outcome.cause ~= "budget"
    run:pause(outcome.message, wrong and "refused" or nil)
    give_up(context, { code = outcome.cause, message = outcome.message })
  end
  return outcome
end

local function answer_to(run, key, context, body, request)
  local outcome = recorded(context, key, body, request.choices)
  if outcome then
    run.counts.replayed = run.counts.replayed + 1
    context.cached[key] = true
    return outcome
  end
  if run.replay then
    local miss = run.replay:miss(context, body)
    run:pause(miss.message, "refused")
    give_up(context, miss)
  end
  return send(run, key, context, body, request)
end

-- Asks the task's model. Returns {text=, call=, reasoning=, messages=, opt=, key=};
-- raises {code=, message=} where there is no answer.
function ask.ask(messages, opt)
  local context = task.current()
  local run = context.run
  if type(messages) == "string" then messages = { { role = "user", content = messages } } end
  if #context.calls >= run.limits.calls then
    error({ code = "limit",
            message = "more than " .. run.limits.calls .. " calls for one item" }, 0)
  end
  context.asked = context.asked + 1
  local request = request_of(run, context, messages, opt or {})
  local body, message = run.model:body(request)
  if not body then error({ code = "refused_request", message = message }, 0) end
  body = json.encode(body)
  local key = call_key.of(run.model.identity, body, context.item.id, context.sample,
    context.asked)
  context.calls[#context.calls + 1] = key
  local outcome = answer_to(run, key, context, body, request)
  count(context, outcome)
  if not outcome.ok then
    error({ code = outcome.cause, message = outcome.message, class = outcome.class }, 0)
  end
  return { text = outcome.text or "", call = outcome.call, reasoning = outcome.reasoning,
           messages = messages, opt = opt, key = key }
end

return ask
