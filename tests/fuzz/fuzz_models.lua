-- Any bytes as a user's models.lua: refused in a sentence, or every entry is a
-- model that can be described, or is refused. Nothing of it can reach out.

local input = dofile "tests/fuzz/input.lua"
local json = require "ecrb.json"
local models = require "ecrb.models"
local models_file = require "ecrb.models_file"
local dialect = require "ecrb.dialect"
local system = require "core.system"

local config = input.folder "config"
input.folder "config/ecrb"

function system.getenv(name)
  return name == "XDG_CONFIG_HOME" and config or nil
end

local messages = { { role = "system", content = "Say json." },
  { role = "user", content = "Which?" } }

local requests = {
  { messages = messages, temperature = 0.5, top_p = 1, max_tokens = 9, seed = 1,
    stop = { "a", "b" }, thinking = "low" },
  { messages = messages, thinking = 100, json = true },
  { messages = messages, thinking = true, json = { type = "object" } },
  { messages = messages, thinking = false, choices = { "1.1.-.-", "UNSURE" } },
}

local function use(name)
  local model = models.resolve { model = name }
  json.encode(model.manifest and model:manifest() or {})
  model:times()
  dialect.notes(model)
  for _, request in ipairs(requests) do
    local body, why = dialect.build(model, request)
    assert(body and json.encode(body) or type(why) == "string")
  end
end

return function (bytes)
  input.file(bytes, "config/ecrb/models.lua")
  local entries, why = models_file.entries()
  assert(entries or type(why) == "string")
  assert(not string.find(why or "", input.place), why)
  for name in pairs(entries or {}) do input.refusable(use, name) end
  input.refusable(models.list)
end
