-- A run for the program that embeds ecrb: what ecrb_run_* of ecrb_host.h do. The
-- model is a function of the program, or the program itself, which answers open
-- questions in its own time; another function hears of every record.

local drive = require "ecrb.drive"
local json = require "ecrb.json"
local model = require "ecrb.model"
local sched = require "core.sched"
local setting = require "ecrb.setting"
local system = require "core.system"

local embedded = {}

-- A task that asks waits for its answer. `asked` are the questions that are to be
-- handed out.
local function open_answer(spec, asked)
  local places = sched.gate(spec.open)
  return function (messages, body)
    places:enter()
    local promise = sched.promise()
    asked[#asked + 1] = { messages = messages, body = body, promise = promise }
    local answer = promise:wait()
    places:leave()
    return answer.text, answer.why
  end
end

-- The program as a model: a chat completion for a request.
local function model_of(spec, asked)
  local answer = spec.open and open_answer(spec, asked) or spec.answer
  if not answer then return model.reader() end
  local name = spec.model_name or "program"
  return model.program(name, function (request, body)
    local text, why = answer(request.messages, body)
    if not text then return nil, why end
    return json.encode { model = name, choices = { { finish_reason = "stop", index = 0,
      message = { role = "assistant", content = text } } } }
  end)
end

-- What the command line would have said.
local function arguments_of(spec, folder)
  return { bench = spec.benchmark, split = spec.split, items = spec.items, limit = spec.limit,
           seed = spec.seed, set = spec.options, out = folder, hits = 10, distractors = "mixed",
           concurrency = spec.open or 1, durability = not spec.folder and "none" or nil,
           quiet = true }
end

local function each_of(self, spec)
  return function (index, record)
    local go_on = spec.each(self.run.bench, index, record, {
      path = record.path, may_stop = record.may_stop,
      confidence = record.confidence })
    if not go_on then self.run:pause("the program ended the run") end
  end
end

-- Opens a run: {size=, labelled=}, for the functions below. `spec` has the
-- fields of ecrb_run_spec and the functions answer(messages, body) -> text and
-- each(bench, index, record, prediction) -> whether to go on; where `open` is set
-- ticket() -> number of a question and answered() -> ticket, text of one.
function embedded.open(spec)
  if not spec.method then error("no method is named", 0) end
  if spec.open and spec.answer then
    error("a run has a `model` or `open` questions, not both", 0)
  end
  local self = { width = spec.open, ticket = spec.ticket, answered = spec.answered,
                 asked = {}, handed_out = {} }
  local args = arguments_of(spec, spec.folder)
  local one = setting.of(args, spec.method, spec.book)
  local shared = setting.shared_over_items(args, model_of(spec, self.asked))
  self.scratch = not spec.folder and system.temporary(system.getenv("TMPDIR") or "/tmp") or nil
  args.out = args.out or self.scratch
  self.run = setting.open(args, shared, one, { each = each_of(self, spec),
                                               say = function () end })
  self.loop, self.size = shared.loop, #shared.items
  self.labelled = self.run.bench:labelled()
  return self
end

-- Writes down how the run ended, once.
local function close_run(self, how)
  if self.closed then return end
  self.closed = true
  self.run:close(how)
end

-- Goes through all items; returns whether the run ended early.
local function go_through(self)
  local ok, how, reason = pcall(drive.run, self.loop, { self.run }, self.width or 1)
  close_run(self, ok and how or "failed")
  if not ok then error(how, 0) end
  if how == "refused" then error(reason, 0) end
  return how ~= "done"
end

local function check_open(self)
  if self.closed then error("the run is over; open it again", 0) end
end

-- Asks about all items. Returns 1 where the run ended early.
function embedded.all(self)
  check_open(self)
  return go_through(self) and 1 or 0
end

-- {====================================================================
-- Open questions
-- =====================================================================

local function take_answers(self)
  for ticket, text, why in self.answered do
    local question = self.handed_out[ticket]
    self.handed_out[ticket] = nil
    question.promise:keep { text = text, why = why }
  end
end

local function hand_out(self)
  local question = table.remove(self.asked, 1)
  question.ticket = self.ticket()
  self.handed_out[question.ticket] = question
  return question
end

-- Lets the loop run on until it waits for answers or its end has come.
local function go_on(self)
  self.going = self.going or coroutine.create(go_through)
  local ok, early = coroutine.resume(self.going, self)
  if not ok then error(early, 0) end
  if coroutine.status(self.going) == "dead" then self.ended_early = early end
end

-- Until an answer comes or something else happens; false where the time is up.
local function rest_until(self, last)
  local left = last - system.monotonic()
  if left > 0 then self.loop:rest(left) end
  return left > 0
end

-- The next question, {ticket=, messages=, body=}; false where there is none and no
-- answer has come within `milliseconds` (below 0: for ever); nil once the run is over,
-- and whether it ended early.
function embedded.next(self, milliseconds)
  local last = milliseconds < 0 and math.huge or system.monotonic() + milliseconds / 1000
  while self.ended_early == nil do
    check_open(self)
    take_answers(self)
    if not self.asked[1] then go_on(self) end
    if self.asked[1] then return hand_out(self) end
    if self.ended_early == nil and not rest_until(self, last) then return false end
  end
  return nil, self.ended_early
end

-- What is still open is nobody's any more.
local function break_off(self)
  if not self.going or coroutine.status(self.going) ~= "suspended" then return end
  for _ = 1, 2 do self.loop:stop("the program closed the run") end
  pcall(go_on, self)
end
-- }====================================================================

function embedded.close(self)
  break_off(self)
  close_run(self, "stopped")
  if self.scratch then system.remove(self.scratch) end
  self.scratch = nil
end

return embedded
