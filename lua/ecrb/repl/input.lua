-- Where lines come from: a terminal with editing, history and completion, or a
-- pipe or file as it is.

local edit = require "core.edit"
local regular = require "ecrb.regular"
local system = require "core.system"

local input = {}

local Terminal = {}
Terminal.__index = Terminal

-- A line, nil at the end, false where Ctrl-C dropped it.
function Terminal:line(prompt)
  local line = self.editor:line(prompt)
  if line and string.find(line, "%S") then self.editor:remember(line) end
  return line
end

function Terminal:close()
  self.editor:save(self.path)
  self.editor:close()
end

local Pipe = {}
Pipe.__index = Pipe

function Pipe:line(prompt)
  if self.asks then io.stdout:write(prompt):flush() end
  local line = self.file:read("l")
  return line and (string.gsub(line, "\r$", ""))
end

function Pipe:close()
  if self.file ~= io.stdin then self.file:close() end
end

local function history_path()
  local state = system.getenv("XDG_STATE_HOME")
  if not state or state == "" then state = (system.getenv("HOME") or ".") .. "/.local/state" end
  system.mkdir(state .. "/ecrb")
  return state .. "/ecrb/history"
end

-- Where a terminal cannot place its cursor, lines are read plainly.
local function can_edit()
  local kind = system.getenv("TERM")
  return system.isatty(0) and system.isatty(1) and kind and kind ~= "" and kind ~= "dumb"
end

-- The beginning that all names share.
local function shared_start(names)
  local start = names[1]
  for _, name in ipairs(names) do
    while string.sub(name, 1, #start) ~= start do start = string.sub(start, 1, -2) end
  end
  return start
end

local shown_most = 200

-- Names in lines that fit the terminal.
local function in_lines(names)
  local lines, line, width = {}, "", (system.columns() or 80) - 1
  for i = 1, math.min(#names, shown_most) do
    if line ~= "" and #line + 2 + #names[i] > width then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and names[i] or line .. "  " .. names[i]
  end
  lines[#lines + 1] = line
  if #names > shown_most then
    lines[#lines + 1] = string.format("... and %d more", #names - shown_most)
  end
  return table.concat(lines, "\r\n")
end

-- What to put in for a stump among names that begin with it.
function input.completion(stump, names)
  local fitting = {}
  for _, name in ipairs(names) do
    if string.sub(name, 1, #stump) == stump then fitting[#fitting + 1] = name end
  end
  table.sort(fitting)
  if #fitting == 0 then return nil end
  local start = shared_start(fitting)
  return { insert = string.sub(start, #stump + 1),
           list = #fitting > 1 and in_lines(fitting) or nil }
end

-- `complete(text)` gives {insert=, list=}; see core.edit.
function input.terminal(complete)
  local self = setmetatable({ editor = edit.open(complete), path = history_path() }, Terminal)
  self.editor:load(self.path)
  return self
end

function input.file(path)
  local file, message = regular(path)
  if not file then error(message, 0) end
  return setmetatable({ file = file }, Pipe)
end

function input.open(complete)
  if can_edit() then return input.terminal(complete), true end
  local asks = system.isatty(0)
  return setmetatable({ file = io.stdin, asks = asks }, Pipe), asks
end

return input
