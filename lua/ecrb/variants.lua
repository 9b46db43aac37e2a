-- Variants of a method's wording and options: folders under prompts/variants/
-- with templates by their names and a variant.json with options and book.

local contents = require "ecrb.contents"
local json = require "ecrb.json"
local near = require "ecrb.near"
local system = require "core.system"

local variants = {}

-- The user's own folder.
local function user_shelf()
  local data = system.getenv("XDG_DATA_HOME")
  if not data or data == "" then data = (system.getenv("HOME") or ".") .. "/.local/share" end
  return data .. "/ecrb/variants"
end

-- Where variants stand: with a checkout's prompts, and with the user.
local function shelves()
  return { system.self .. "/prompts/variants", user_shelf() }
end

-- Where one is written: what is installed belongs to whoever installs and removes it.
local function writable_shelves()
  if system.exists(system.self .. "/installed") then return { user_shelf() } end
  return shelves()
end

-- The folder of a saved variant, or nil.
local function folder_of(name)
  for _, shelf in ipairs(shelves()) do
    if system.kind(shelf .. "/" .. name) == "folder" then return shelf .. "/" .. name end
  end
end

-- A folder for a variant where this user may write.
local function new_folder(name)
  local message
  for _, shelf in ipairs(writable_shelves()) do
    local ok, why = pcall(system.mkdir, shelf .. "/" .. name)
    if ok then return shelf .. "/" .. name end
    message = why.message
  end
  error(message, 0)
end

-- The saved variants' names.
function variants.names()
  local names = {}
  for _, shelf in ipairs(shelves()) do
    for _, name in ipairs(system.exists(shelf) and system.list(shelf) or {}) do
      if system.kind(shelf .. "/" .. name) == "folder" then names[#names + 1] = name end
    end
  end
  return names
end

local function read_json(path)
  local source = contents(path)
  if not source then return {} end
  local value, message = json.decode(source)
  if type(value) ~= "table" then error(path .. ": " .. tostring(message), 0) end
  return value
end

-- A variant for a method that fills the templates `names`: {replaced=, options=,
-- book=}. `saved` is the shipped wording.
function variants.load(name, names)
  if name == "saved" then return { replaced = {}, options = {} } end
  local folder = folder_of(name)
  if not folder then
    error("there is no variant `" .. name .. "`" .. near.hint(name, variants.names())
      .. " (`saved` is the shipped wording)", 0)
  end
  local described, replaced = read_json(folder .. "/variant.json"), {}
  for _, template in ipairs(names) do
    local path = folder .. "/" .. template .. ".txt"
    if system.exists(path) then replaced[template] = path end
  end
  return { replaced = replaced, options = described.options or {}, book = described.book }
end

-- Writes a variant: {template = text}, options, book. Returns its folder.
function variants.save(name, method, templates, options, book)
  if not string.find(name, "^%w[%w_-]*$") or name == "saved" or name == "now" then
    error("a variant's name has letters, digits, `_` and `-`, and is neither `saved` nor `now`: "
      .. "not `" .. name .. "`", 0)
  end
  local folder = folder_of(name) or new_folder(name)
  for template, text in pairs(templates) do
    local path = folder .. "/" .. template .. ".txt"
    system.mkdir(string.match(path, "^(.*)/"))
    system.write(path, text)
  end
  system.write(folder .. "/variant.json",
    json.pretty { method = method, options = options, book = book })
  return folder
end

return variants
