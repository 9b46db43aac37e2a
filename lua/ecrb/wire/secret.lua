-- A key, from the environment or from a file that only its owner may read. It
-- lives in a closure alone: it is in no table, no message, no record, and what
-- comes back from a server is searched for it before anybody sees it.
local contents = require "ecrb.contents"
local system = require "core.system"
local text = require "core.text"

local secret = {}

local function read_file(path)
  if system.private(path) == false then
    return nil, string.format("the key file %s can be read by others; "
      .. "make it yours alone: chmod 600 %s", path, path)
  end
  return contents(path)
end

local function fetch(source)
  if source.key_file then return read_file(source.key_file) end
  return source.key_variable and system.getenv(source.key_variable)
end

-- A line break in a key would forge headers.
local function cleaned(key, source)
  key = key and text.trim(key)
  if key and string.find(key, "[%c\127-\255]") then
    return nil, string.format("the key in %s holds bytes that no key has",
                              source.key_file or source.key_variable)
  end
  return key ~= "" and key or nil
end

local function without_key(words, key)
  local first, last = string.find(words, key, 1, true)
  if not first then return words end
  local parts, at = {}, 1
  while first do
    parts[#parts + 1] = string.sub(words, at, first - 1)
    at = last + 1
    first, last = string.find(words, key, at, true)
  end
  parts[#parts + 1] = string.sub(words, at)
  return table.concat(parts, "[key]")
end

local function with_key(key, source)
  local line = source.auth.header .. ": " .. source.auth.prefix .. key
  return {
    add_to = function(list) list[#list + 1] = line end,
    redact = function(words) return without_key(words, key) end,
  }
end

local NONE = {
  add_to = function() end,
  redact = function(words) return words end,
}

local function missing(source)
  if source.key_optional then return NONE end
  if not source.key_variable then
    return nil, "no key: name its variable as `key_variable` in models.lua"
  end
  return nil, string.format("no key: put it into the variable %s (export "
    .. "%s=...)", source.key_variable, source.key_variable)
end

-- `source` holds key_variable, key_file, key_optional and the dialect's auth.
-- Gives {add_to=function(headers), redact=function(text) -> text}, or nil and
-- what the user must do.
function secret.read(source)
  local given, why = fetch(source)
  if why then return nil, why end
  local key
  key, why = cleaned(given, source)
  if why then return nil, why end
  if not key then return missing(source) end
  return with_key(key, source)
end

return secret
