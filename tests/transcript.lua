-- Checks a transcript of commands against what they print now, line by line:
--   lua5.4 tests/transcript.lua [--update] FILE
--
-- A transcript is text in which lines indented by two blanks, or in a Markdown
-- file those in a ```console block, are a session:
--
--     $ ecrb --version            the command (`> ` continues it), run by sh
--     ecrb 0.1.0                  its output, errors and all, to the letter
--     [exit 2]                    its exit code, left out where it is 0
--
-- Everything else is prose, save for lines `needs WHAT`, in Markdown
-- `<!-- needs WHAT -->`: without that command (or file, where WHAT has a slash) the
-- transcript is skipped. $TMP is a
-- folder of the transcript's own; in the output its path reads $TMP again, that
-- of the empty home $HOME and that of the checkout $ROOT. The report is TAP, one
-- test a command; --update rewrites the file instead.

-- The folders that differ from run to run, and what stands for them.
local places = {}
for i, name in ipairs { "HOME", "TMP", "PWD" } do
  places[i] = { assert(os.getenv(name), name .. " names no folder"),
                name == "PWD" and "$ROOT" or "$" .. name }
end

-- What an indented line is: command, more of it, or output.
local function kind_of(text, step)
  local command = string.match(text, "^%$ (.*)$")
  if command then return "command", command end
  local more = #(step and step.expected or { "" }) == 0
    and string.match(text, "^> ?(.*)$")
  if more then return "more", more end
  return "output", text
end

-- An iterator over the lines of a file: number, line, and what stands in the
-- session if the line is of one.
local function session_lines(path)
  local number, next_line, inside = 0, io.lines(path), false
  local markdown = string.sub(path, -3) == ".md"
  return function ()
    local line = next_line()
    if not line then return nil end
    number = number + 1
    if not markdown then return number, line, string.match(line, "^  (.*)$") end
    local fence = string.match(line, "^```(%w*)")
    inside = fence and fence == "console" or not fence and inside
    return number, line, inside and not fence and line or nil
  end
end

-- A list of prose lines and of steps {line=, command=, expected={}}. Blank
-- lines belong to an output that goes on after them.
local function parse(path)
  local parts, step, blank = {}, nil, 0
  local function prose(line) parts[#parts + 1] = line end
  local function settle(add)
    for _ = 1, blank do add("") end
    blank = 0
  end
  for number, line, text in session_lines(path) do
    local kind, rest = "prose", line
    if text then kind, rest = kind_of(text, step) end
    if line == "" and step then
      blank = blank + 1
    elseif kind == "output" and step then
      settle(function () table.insert(step.expected, "") end)
      table.insert(step.expected, rest)
    elseif kind == "more" then
      step.command = step.command .. "\n" .. rest
    else
      settle(prose)
      step = kind == "command"
        and { line = number, command = rest, expected = {} } or nil
      prose(step or line)
    end
  end
  return parts
end

local function plainly(text, old, new)
  local pattern = string.gsub(old, "%p", "%%%0")
  return (string.gsub(text, pattern, { [old] = new }))
end

-- What the command prints, as lines without blank ones at the end, and its
-- exit code as a last line.
local function run(command)
  local shell = assert(io.popen("exec 2>&1 </dev/null\n" .. command))
  local output = shell:read("a")
  for _, place in ipairs(places) do
    output = plainly(output, place[1], place[2])
  end
  local _, kind, code = shell:close()
  local lines = {}
  output = string.gsub(output, "\n*$", "")
  if output ~= "" then
    for line in string.gmatch(output .. "\n", "([^\n]*)\n") do
      lines[#lines + 1] = line
    end
  end
  if code ~= 0 then
    lines[#lines + 1] = string.format("[%s %d]", kind, code)
  end
  return lines
end

local function missing(what)
  what = string.gsub(what, "%$(%w+)", os.getenv)
  local probe = string.find(what, "/") and "test -e '%s'"
    or "command -v '%s' >/dev/null"
  return not os.execute(string.format(probe, what)) and what or nil
end

local function unmet(parts)
  for _, part in ipairs(parts) do
    local what = type(part) == "string" and (string.match(part, "^needs (%S+)$")
      or string.match(part, "^<!%-%- needs (%S+) %-%->$"))
    if what and missing(what) then return missing(what) end
  end
end

local function comment(title, lines)
  print("# " .. title)
  for _, line in ipairs(lines) do print("#   " .. line) end
end

local function check(path, parts)
  local without, tests = unmet(parts), 0
  if without then
    print("1..1\nok 1 - # SKIP needs " .. without)
    return true
  end
  local good = true
  for _, step in ipairs(parts) do
    if type(step) == "table" then
      tests = tests + 1
      local actual = run(step.command)
      local same = table.concat(actual, "\n")
        == table.concat(step.expected, "\n")
      good = good and same
      print(string.format("%sok %d - %s:%d: %s", same and "" or "not ", tests,
        path, step.line, (string.gsub(step.command, "\n.*", " ..."))))
      if not same then
        comment("expected", step.expected)
        comment("printed", actual)
      end
    end
  end
  print("1.." .. tests)
  return good
end

local function update(path, parts)
  if unmet(parts) then
    error(path .. ": needs " .. unmet(parts), 0)
  end
  local lines, indent = {}, string.sub(path, -3) == ".md" and "" or "  "
  for _, part in ipairs(parts) do
    if type(part) == "string" then
      lines[#lines + 1] = part
    else
      lines[#lines + 1] = indent .. "$ "
        .. string.gsub(part.command, "\n", "\n" .. indent .. "> ")
      for _, line in ipairs(run(part.command)) do
        lines[#lines + 1] = line == "" and "" or indent .. line
      end
    end
  end
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(table.concat(lines, "\n"), "\n"))
end

local updating = arg[1] == "--update"
local path = assert(arg[updating and 2 or 1], "no transcript is named")
local parts = parse(path)
if updating then
  update(path, parts)
elseif not check(path, parts) then
  os.exit(1)
end
