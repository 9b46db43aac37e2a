-- Collects the documentation of core.* from the comments above its bindings:
--   lua5.4 lua/apidoc.lua lua/*.c >reference.c
--
--   /*** core.ec.level(ec) -> level          the call; `***` goes on with it
--   **
--   ** How many parts are committed.         the text
--   */
--
-- The result is a C array that the program carries, in the order of the files.
-- A comment of another form stops the build by file and line.

local function fail(place, reason)
  io.stderr:write(place, ": ", reason, "\n")
  os.exit(1)
end

-- The entry that begins at a line with `call`, read off an iterator of lines.
local function entry(call, next_line, place)
  local text = {}
  for line in next_line do
    local more = string.match(line, "^%*%*%*%s*(.*)$")
    local said = string.match(line, "^%*%*%s?(.*)$")
    if string.match(line, "^%*/$") then
      return { call = call, text = table.concat(text, "\n") }
    elseif more and #text == 0 then
      call = call .. " " .. more
    elseif said and (said ~= "" or #text > 0) then
      text[#text + 1] = said
    elseif not said then
      break
    end
  end
  fail(place, "this documentation comment has another form than\n"
    .. "/*** call -> results\n**\n** text\n*/")
end

local function collect(path, entries)
  local number = 0
  local lines = io.lines(path)
  local function next_line()
    number = number + 1
    return lines()
  end
  for line in next_line do
    local call = string.match(line, "^/%*%*%* (.*)$")
    if call then
      entries[#entries + 1] = entry(call, next_line, path .. ":" .. number)
    end
  end
end

local function quoted(text)
  local escaped = string.gsub(text, '[\\"?]', "\\%0")
  return '"' .. string.gsub(escaped, "\n", '\\n"\n    "') .. '"'
end

local entries = {}
for _, path in ipairs(arg) do collect(path, entries) end
print '#include "reference.h"\n'
print "const reference_entry reference_entries[] = {"
for _, e in ipairs(entries) do
  print("  {" .. quoted(e.call) .. ",\n    " .. quoted(e.text) .. "},")
end
print "  {0, 0}};"
