-- What the readers of other tools' logs ask for, field by field: of Inspect the
-- pydantic models of log version 2, of lm-evaluation-harness what its own scripts and
-- loggers index. formats.fault(kind, value) is the first breach, nil for none.

local json = require "ecrb.json"

local formats = {}

local function of_type(name)
  return function (value, where)
    if type(value) ~= name then return where .. " is a " .. type(value) .. ", not a " .. name end
  end
end

local text, number = of_type "string", of_type "number"

-- The reader of JSON makes a float of any number.
local function integer(value, where)
  if not math.tointeger(value) then return where .. " is no whole number" end
end

local flag, any = of_type "boolean", function () end

local function optional(kind)
  return function (value, where)
    if value ~= nil and value ~= json.null then return kind(value, where) end
  end
end

local function one_of(...)
  local known = {}
  for _, word in ipairs { ... } do known[word] = true end
  return function (value, where)
    if not known[value] then return where .. " is `" .. tostring(value) .. "`" end
  end
end

local function each(kind, pairs_of)
  return function (value, where)
    if type(value) ~= "table" then return where .. " is a " .. type(value) end
    for key, inner in pairs_of(value) do
      local fault = kind(inner, where .. "." .. tostring(key))
      if fault then return fault end
    end
  end
end

local function list(kind) return each(kind, ipairs) end
local function map(kind) return each(kind, pairs) end

local function object(fields)
  return function (value, where)
    if type(value) ~= "table" then return where .. " is a " .. type(value) end
    for name, kind in pairs(fields) do
      local fault = kind(value[name], where .. "." .. name)
      if fault then return fault end
    end
  end
end

local function either(one, other)
  return function (value, where)
    return one(value, where) and other(value, where)
  end
end

local content = either(text, list(object { type = one_of("text", "reasoning"),
  text = optional(text), reasoning = optional(text) }))
local message = object { id = text, content = content,
  role = one_of("system", "user", "assistant", "tool"), source = one_of("input", "generate"),
  model = optional(text) }
local usage = object { input_tokens = integer, output_tokens = integer, total_tokens = integer,
  reasoning_tokens = optional(integer), input_tokens_cache_read = optional(integer),
  total_cost = optional(number) }
local generation = object { temperature = optional(number), max_tokens = optional(integer) }

local function time(value, where)
  if not string.find(tostring(value), "^%d+%-%d%d%-%d%dT%d%d:%d%d:%d%d[%d.]*%+00:00$") then
    return where .. " is no time with a zone"
  end
end

local kinds = {}

kinds.inspect = object {
  version = integer, status = one_of("started", "success", "cancelled", "error"),
  eval = object { eval_id = text, run_id = text, task_id = text, created = time, task = text,
    task_version = integer, task_args = map(any), solver = text, model = text,
    model_args = map(any), model_generate_config = generation, packages = map(text),
    metadata = map(any), scorers = list(object { name = text }),
    dataset = object { name = text, samples = integer, sample_ids = list(text), shuffled = flag },
    config = object { epochs = integer, log_samples = flag, fail_on_error = flag } },
  plan = object { name = text, config = generation,
    steps = list(object { solver = text, params = map(any), params_passed = map(any) }) },
  results = object { total_samples = integer, completed_samples = integer,
    scores = list(object { name = text, scorer = text, scored_samples = integer,
      unscored_samples = integer, params = map(any),
      metrics = map(object { name = text, value = number, params = map(any) }) }) },
  stats = object { started_at = time, completed_at = time, model_usage = map(usage) },
  samples = list(object { id = text, epoch = integer, input = either(text, list(message)),
    target = either(text, list(text)), messages = list(message),
    output = object { model = text, completion = optional(text), usage = optional(usage),
      choices = list(object { message = message, stop_reason = one_of("stop", "max_tokens",
        "model_length", "tool_calls", "content_filter", "unknown") }) },
    scores = optional(map(object { value = number, answer = text })), metadata = map(any),
    store = map(any), events = list(any), attachments = map(text), model_usage = map(usage),
    error = optional(object { message = text, traceback = text, traceback_ansi = text }) }),
}

local sample = object { doc_id = integer, doc = map(any), target = text, filter = text,
  arguments = object { gen_args_0 = object { arg_0 = text, arg_1 = map(any) } },
  resps = list(list(text)), filtered_resps = list(text), metrics = list(text),
  doc_hash = text, prompt_hash = text, target_hash = text }

kinds["lm-eval"] = function (value, where)
  local fault = sample(value, where)
  if fault then return fault end
  if not (value.resps[1] and value.resps[1][1]) then return where .. ".resps has no reply" end
  for _, name in ipairs(value.metrics) do
    fault = number(value[name], where .. "." .. name)
    if fault then return fault end
  end
end

function formats.fault(kind, value)
  return kinds[kind](value, kind)
end

return formats
