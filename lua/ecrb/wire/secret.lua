-- A key, from the environment or from a file that only its owner may read. It
-- lives in a closure alone: it is in no table, no message, no record, and what
-- comes back from any server is searched for it before anybody sees it.
local contents = require "ecrb.contents"
local pack = require "core.pack"
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

-- {====================================================================
-- What comes back
-- =====================================================================

-- A shorter one is a stand-in that servers without keys are given (`none`,
-- `EMPTY`): it stands in honest replies too.
local SECRET_BYTES = 8

local URL_LETTERS = { ["+"] = "-", ["/"] = "_" }

-- How base64 writes the key when `before` bytes of something else stand in front
-- of it: the letters that no neighbour has a share in.
local function base64(key, before)
  local letters = pack.base64(string.rep("\0", before) .. key)
  local first = (before * 8 + 5) // 6
  return string.sub(letters, first + 1, (before + #key) * 8 // 6)
end

local function hexadecimal(key)
  return (string.gsub(key, ".", function(byte)
    return string.format("%02x", string.byte(byte))
  end))
end

-- What decodes to the key as a whole. (What is written character by character
-- in another way, core.text.without knows.)
local function encodings(key)
  local hex = hexadecimal(key)
  local words = { key, hex, string.upper(hex) }
  for before = 0, 2 do
    local letters = base64(key, before)
    words[#words + 1] = letters
    words[#words + 1] = string.gsub(letters, "[+/]", URL_LETTERS)
  end
  return words
end

-- All keys that were read so far: one server may send back another's. What
-- stands in there cannot be listed.
local known = text.words()

local function redact(words)
  return text.without(words, known, "[key]")
end

local function keep_out(key)
  if #key < SECRET_BYTES then return end
  for _, form in ipairs(encodings(key)) do known:add(form) end
end

-- }====================================================================

local function with_key(key, source)
  local line = source.auth.header .. ": " .. source.auth.prefix .. key
  keep_out(key)
  return {
    add_to = function(list) list[#list + 1] = line end,
    redact = redact,
  }
end

local NONE = {
  add_to = function() end,
  redact = redact,
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
