-- Variants of a method's wording and options: folders under prompts/variants/
-- with templates by their names and a variant.json with options and book.

local json = require "ecrb.json"
local near = require "ecrb.near"
local system = require "core.system"

local variants = {}

function variants.folder(name)
  return system.self .. "/prompts/variants/" .. name
end

-- The saved variants' names.
function variants.names()
  local folder, names = system.self .. "/prompts/variants", {}
  if not system.exists(folder) then return names end
  for _, name in ipairs(system.list(folder)) do
    if system.kind(folder .. "/" .. name) == "folder" then names[#names + 1] = name end
  end
  return names
end

local function read_json(path)
  local file = io.open(path, "rb")
  if not file then return {} end
  local value, message = json.decode(file:read("a"))
  file:close()
  if type(value) ~= "table" then error(path .. ": " .. tostring(message), 0) end
  return value
end

-- A variant for a method that fills the templates `names`: {replaced=, options=,
-- book=}. `saved` is the shipped wording.
function variants.load(name, names)
  if name == "saved" then return { replaced = {}, options = {} } end
  local folder = variants.folder(name)
  if system.kind(folder) ~= "folder" then
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
  local folder = variants.folder(name)
  for template, text in pairs(templates) do
    local path = folder .. "/" .. template .. ".txt"
    system.mkdir(string.match(path, "^(.*)/"))
    system.write(path, text)
  end
  system.mkdir(folder)
  system.write(folder .. "/variant.json",
    json.pretty { method = method, options = options, book = book })
  return folder
end

return variants
