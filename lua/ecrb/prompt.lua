-- Prompt templates: plain text files with {{name}} and nothing else.
--
--   #: a line like this is a note to authors and is not sent
--   #: without evidence, path      (names that this variant leaves out)
--   text above a line of three dashes is the system message
--   ---
--   text below it is the user message
--
-- A name that the method does not offer is an error, and so is one that it
-- offers and the template neither uses nor leaves out: a typing mistake in a
-- template must not change an experiment silently.

local contents = require "ecrb.contents"
local system = require "core.system"
local text = require "core.text"

local prompt = {}

local function lines_of(source)
  local lines = {}
  for line in string.gmatch(source, "([^\n]*)\n?") do lines[#lines + 1] = line end
  if lines[#lines] == "" then lines[#lines] = nil end
  return lines
end

local function read_note(line, omitted)
  local names = string.match(line, "^#:%s*without%s+(.*)$")
  for name in string.gmatch(names or "", "[%w_]+") do omitted[name] = true end
end

local function trim(body)
  return (string.gsub(string.gsub(body, "^%s+", ""), "%s+$", ""))
end

-- The pieces of a text: strings, and {name=} for the places to fill.
local function pieces_of(body)
  local pieces, at = {}, 1
  for from, name, to in string.gmatch(body, "(){{([%a_][%w_]*)}}()") do
    pieces[#pieces + 1] = string.sub(body, at, from - 1)
    pieces[#pieces + 1] = { name = name }
    at = to
  end
  pieces[#pieces + 1] = string.sub(body, at)
  return pieces
end

-- A message where a `{{` of the line begins no name.
local function misspelt(path, number, line)
  local rest = string.gsub(line, "{{[%a_][%w_]*}}", "")
  if string.find(rest, "{{", 1, true) then
    return string.format("%s:%d: `{{` begins no {{name}}; a name has letters, "
      .. "digits and `_` only", path, number)
  end
end

-- What an editor or a copy leaves in a file and nobody sees: a `---` with a CR
-- behind it divides nothing, and the model would be sent the rest.
local unseen = { { "^\xEF\xBB\xBF", "begins with a byte order mark; save it as UTF-8 without one" },
                 { "\r", "a CR at the end of the line; write LF alone" },
                 { "\0", "a NUL byte; save it as UTF-8 text" } }

local function line_at(source, at)
  local _, before = string.gsub(string.sub(source, 1, at - 1), "\n", "")
  return before + 1
end

-- A message where the source is no plain text, or says nothing.
local function unfit(path, source)
  for _, one in ipairs(unseen) do
    local at = string.find(source, one[1])
    if at then return string.format("%s:%d: %s", path, line_at(source, at), one[2]) end
  end
  local _, at = utf8.len(source)
  if at then
    return string.format("%s:%d: byte 0x%02x is not UTF-8 text; save it as UTF-8", path,
      line_at(source, at), string.byte(source, at))
  end
  if not string.find(source, "%S") then return path .. ": is empty; a prompt says something" end
end

local function split_messages(path, source)
  local parts, omitted = { {} }, {}
  local problem = unfit(path, source)
  if problem then return nil, problem end
  for number, line in ipairs(lines_of(source)) do
    local message = misspelt(path, number, line)
    if message then return nil, message end
    if string.sub(line, 1, 2) == "#:" then
      read_note(line, omitted)
    elseif line == "---" then
      parts[#parts + 1] = {}
    else
      table.insert(parts[#parts], line)
    end
  end
  return parts, omitted
end

-- Parses a template's source. Returns the template, or nil and a message.
function prompt.parse(path, source)
  local parts, omitted = split_messages(path, source)
  if not parts then return nil, omitted end
  if #parts > 2 then
    return nil, path .. ": more than one line `---`; one divides system from user"
  end
  local template = { path = path, omitted = omitted, messages = {},
                     sha256 = text.sha256(source) }
  for i, lines in ipairs(parts) do
    local role = (#parts == 2 and i == 1) and "system" or "user"
    template.messages[i] = { role = role, pieces = pieces_of(trim(table.concat(lines, "\n"))) }
  end
  return template
end

local function fill(template, pieces, values, used)
  local out = {}
  for i, piece in ipairs(pieces) do
    if type(piece) == "table" then
      local value = values[piece.name]
      if value == nil then
        error(string.format("%s: {{%s}} is not offered by the method; it offers %s",
          template.path, piece.name, prompt.names(values)), 0)
      end
      used[piece.name] = true
      out[i] = tostring(value)
    else
      out[i] = piece
    end
  end
  return table.concat(out)
end

-- The names of a table of values, in order, for messages.
function prompt.names(values)
  local names = {}
  for name in pairs(values) do names[#names + 1] = name end
  table.sort(names)
  return #names > 0 and table.concat(names, ", ") or "nothing"
end

-- Fills a template. Returns the messages {role=, content=}; raises where names
-- and template do not fit. Values are put in as they are: text that came from
-- a model is never read as a template.
function prompt.render(template, values)
  local used, messages = {}, {}
  for i, message in ipairs(template.messages) do
    messages[i] = { role = message.role,
                    content = fill(template, message.pieces, values, used) }
  end
  for name in pairs(values) do
    if not used[name] and not template.omitted[name] then
      error(string.format("%s: the method offers {{%s}} and the template does not use it; "
        .. "if that is meant, say so in a line `#: without %s`", template.path, name, name), 0)
    end
  end
  return messages
end

-- A shelf of templates: `folders` are searched in order for NAME.txt;
-- `replaced` maps a name to the file that stands in for it.
function prompt.shelf(folders, replaced)
  local shelf = { folders = folders, replaced = replaced or {}, loaded = {} }
  return setmetatable(shelf, { __index = prompt })
end

local function open_first(self, name)
  local tried = {}
  local paths = {}
  if self.replaced[name] then
    paths[1] = self.replaced[name]
  else
    for i, folder in ipairs(self.folders) do paths[i] = folder .. "/" .. name .. ".txt" end
  end
  for _, path in ipairs(paths) do
    local source, why = contents(path)
    if source then return path, source end
    if system.exists(path) then return nil, "prompt `" .. name .. "`: " .. why end
    tried[#tried + 1] = path
  end
  return nil, "there is no prompt `" .. name .. "`; looked for " .. table.concat(tried, ", ")
end

-- The template of a name. Returns it, or nil and a message.
function prompt.get(self, name)
  if not string.find(name, "^%w[%w_/-]*$") then
    return nil, "`" .. name .. "` is no prompt's name: letters, digits, `_`, `-` and `/` make one"
  end
  if self.loaded[name] then return self.loaded[name] end
  local path, source = open_first(self, name)
  if not path then return nil, source end
  local template, message = prompt.parse(path, source)
  self.loaded[name] = template
  return template, message
end

-- Forgets what was loaded, so that changed files are read again.
function prompt.forget(self)
  self.loaded = {}
end

return prompt
