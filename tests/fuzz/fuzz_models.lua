-- Any bytes as a user's models.lua: refused in a sentence, or every entry is a
-- model that can be described, or is refused. Nothing of it can reach out.

local input = dofile "tests/fuzz/input.lua"
local json = require "ecrb.json"
local models = require "ecrb.models"
local system = require "core.system"

local config = input.folder "config"
input.folder "config/ecrb"

function system.getenv(name)
  return name == "XDG_CONFIG_HOME" and config or nil
end

local function describe(name)
  local model = models.resolve { model = name }
  json.encode(model.manifest and model:manifest() or {})
  return model
end

return function (bytes)
  input.file(bytes, "config/ecrb/models.lua")
  local entries, why = models.user()
  assert(entries or type(why) == "string")
  assert(not string.find(why or "", input.place), why)
  for name in pairs(entries or {}) do input.refusable(describe, name) end
  input.refusable(models.names)
end
