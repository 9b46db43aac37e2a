-- The commands of the REPL: `:name rest`. Each is {usage, help, run}; run gets
-- the console (session, out, ...) and the rest of the line, and raises a
-- message when it cannot: the session stays as it was.

local brief = require "ecrb.brief"
local core_text = require "core.text"
local counted = require "ecrb.counted"
local diff = require "ecrb.repl.diff"
local json = require "ecrb.json"
local near = require "ecrb.near"
local show = require "ecrb.repl.show"
local step = require "ecrb.repl.step"
local system = require "core.system"

local commands = {}

-- By name.
local known = {}

local printable = core_text.printable

local function refuse(format, ...)
  error(string.format(format, ...), 0)
end

-- {==================================================================
-- Looking
-- ===================================================================

local function item_line(console)
  local item = console.session:item()
  return string.format("%s  (%s, %d residues)  method %s %s, model %s\n", item.name, item.shown,
    #item.sequence, console.session.method.id, console.session.book,
    console.session.method.model and console.session.model.name or "none")
end

known.item = { ":item NAME", "take up an item: price/3, an accession, next, random",
  function (console, rest)
    local session = console.session
    if rest == "random" or string.find(rest, "^random ") then
      session.index = console.draw:pick(session, string.match(rest, "^random%s+%-%-where%s+(%S+)"))
    elseif rest ~= "" then
      session:go(rest)
    end
    console.out(item_line(console))
  end }

known.next = { ":next", "take up the next item",
  function (console)
    console.session:go("next")
    console.out(item_line(console))
  end }

known.show = { ":show [NODE]", "the item: features, motifs, evidence, candidates below NODE",
  function (console, rest)
    local session = console.session
    local ok, text = session:within(function (context)
      local primitives = require "ecrb.primitives"
      local node = rest ~= "" and rest or "-.-.-.-"
      local open = {}
      for _, channel in ipairs(primitives.channels(context.enzyme)) do
        open[#open + 1] = { channel = channel,
                            hits = primitives.evidence(context.enzyme, channel) }
      end
      return table.concat({ brief.enzyme(context.enzyme), "", "Motifs (weak priors):",
        brief.motifs(context.enzyme), "", "Evidence:", brief.evidence(open), "",
        "Candidates below " .. node .. ":",
        brief.candidates(primitives.candidates(context.enzyme, node)) }, "\n")
    end, { book = "open" })
    if not ok then error(text, 0) end
    console.page(text .. "\n")
  end }

local function messages_text(messages)
  local parts = {}
  for i, message in ipairs(messages or {}) do
    parts[i] = "[" .. message.role .. "]\n" .. message.content
  end
  return table.concat(parts, "\n\n") .. "\n"
end

known.prompt = { ":prompt", "what would be sent, your changes to the saved files marked",
  function (console)
    local session = console.session
    local now = messages_text(session:first_request())
    if next(session.edits) then
      local saved = messages_text(session:first_request {})
      now = diff.show(diff.words(saved, now), console.colour)
    end
    console.page(now)
  end }

known.reveal = { ":reveal", "show the item's labels; the log says that they were seen",
  function (console)
    local session = console.session
    if not session.bench:labelled() then refuse("this benchmark has no labels") end
    console.out("labels: " .. table.concat(session.bench:reveal(session.index), "; ") .. "\n")
    console.log:add("labels seen", session:item().name)
  end }

known.cost = { ":cost", "calls, tokens and cost of this session",
  function (console)
    local spent, counts = console.session.budget.spent, console.session.counts
    console.out(counted("%d {call|calls} sent, %d answered from the session's journal; "
      .. "%d tokens, cost %.4f\n", counts.sent, counts.replayed, spent.tokens, spent.cost))
  end }
-- }==================================================================

-- {==================================================================
-- Changing
-- ===================================================================

known.method = { ":method NAME", "take up another method, by id or path",
  function (console, rest)
    if rest ~= "" then console.session:use(rest) end
    console.out(item_line(console))
  end }

known.open = { ":open", "open the book", function (console)
  console.session:set_book("open")
  console.out(item_line(console))
end }

known.closed = { ":closed", "close the book", function (console)
  console.session:set_book("closed")
  console.out(item_line(console))
end }

known.set = { ":set NAME=VALUE ...", "set options of the method; alone: show them",
  function (console, rest)
    local values = {}
    for pair in string.gmatch(rest, "%S+") do
      local name, value = string.match(pair, "^([^=]+)=(.*)$")
      if not name then refuse("`%s`: write NAME=VALUE", pair) end
      values[name] = value
    end
    if next(values) then console.session:set(values) end
    console.out(show.value(console.session:settings()))
  end }

-- The template that a command means: named, or the method's first.
local function template_name(session, rest)
  local names = session.method:prompt_names()
  if rest ~= "" then
    for _, name in ipairs(names) do
      if name == rest then return name end
    end
    refuse("method %s fills no template `%s`%s", session.method.id, rest, near.hint(rest, names))
  end
  for _, name in ipairs(names) do
    if name ~= "repair" then return name end
  end
  refuse("method %s fills no template", session.method.id)
end

local function quoted(path)
  return "'" .. string.gsub(path, "'", "'\\''") .. "'"
end

known.edit = { ":edit [TEMPLATE]", "open $EDITOR on a template; then show the difference",
  function (console, rest)
    local session = console.session
    local name = template_name(session, rest)
    local copy, before = session:working_copy(name)
    local editor = system.getenv("VISUAL") or system.getenv("EDITOR") or "vi"
    if not os.execute(editor .. " " .. quoted(copy)) then
      refuse("the editor `%s` failed; the template is as it was", editor)
    end
    local after = session:accept(name, copy)
    console.log:did(":template " .. name .. " " .. copy)
    local steps = diff.words(before, after)
    console.page(diff.changed(steps) and diff.show(steps, console.colour) or "no change\n")
  end }

known.template = { ":template NAME FILE", "take a file as the template, as :edit does at its end",
  function (console, rest)
    local name, path = string.match(rest, "^(%S+)%s+(%S+)$")
    if not name then refuse("write :template NAME FILE") end
    console.session:accept(template_name(console.session, name), path)
    console.out("template " .. name .. " is " .. path .. "\n")
  end }

known.undo = { ":undo", "take the last change of template, option or book back",
  function (console)
    if not console.session:undo() then refuse("there is nothing to take back") end
    console.session:reload()
    console.out("taken back\n")
  end }

known.save = { ":save NAME", "write the edited templates and options as a variant, for :ablate:\n"
  .. "into the checkout's prompts/variants, to be committed with it,\n"
  .. "or into $XDG_DATA_HOME/ecrb/variants where ecrb is installed",
  function (console, rest)
    console.out("saved in " .. console.session:save(rest) .. "\n")
  end }

known.reload = { ":reload", "read the script and its templates again",
  function (console)
    console.out(console.session:reload() and "reloaded: it changed\n" or "reloaded: no change\n")
  end }
-- }==================================================================

-- {==================================================================
-- Asking
-- ===================================================================

local function spans_of(line, key)
  local parts = {}
  for _, span in ipairs(line.spans) do
    if span.key == key then parts[#parts + 1] = span end
  end
  return parts
end

local function call_text(number, call, line)
  local outcome = call.outcome
  local lines = { string.format("--- call %d, %s%s", number, call.step ~= json.null and call.step
    or "ask", call.cached and " (from the journal)" or "") }
  lines[2] = printable(outcome.text or outcome.message or "no reply")
  for _, span in ipairs(spans_of(line, call.key)) do
    lines[#lines + 1] = string.format("  read %s from bytes %d-%d: %s", span.what, span.first,
      span.last, printable(string.sub(outcome.text or "", span.first, span.last)))
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Right and wrong per level, without the label.
local function marks(session, line)
  local scored = session:correct(line)
  if not scored then return "" end
  local parts = {}
  for level = 1, 4 do
    parts[level] = "L" .. level .. (scored["l" .. level] and " right" or " wrong")
  end
  return table.concat(parts, ", ") .. "\n"
end

local function outcome_text(session, line)
  local path = line.path[#line.path] or "-.-.-.-"
  local confidence = line.confidence ~= json.null and string.format(", confidence %.2f",
    line.confidence) or ""
  local message = line.message ~= json.null and ": " .. printable(line.message) or ""
  return string.format("=> %s  %s%s%s\n%s", path, line.outcome, confidence, message,
    marks(session, line))
end

known.ask = { ":ask", "run the method: replies, what was read, right or not",
  function (console)
    local session = console.session
    local before = session.counts.sent
    local line, calls = session:ask()
    for i, call in ipairs(calls) do console.out(call_text(i, call, line)) end
    console.out(outcome_text(session, line))
    console.out(counted("%d {call|calls} (%d sent), %d + %d tokens; session cost %.4f\n",
      line.usage.calls, session.counts.sent - before, line.usage.prompt, line.usage.completion,
      session.budget.spent.cost))
    console.log:add("asked", session:item().name .. " " .. line.outcome)
  end }

known.step = { ":step", "the method one decision at a time; answer or overrule any",
  function (console)
    local line = step.walk(console)
    console.out(outcome_text(console.session, line))
  end }

known.ablate = { ":ablate A B ... [--n 50] [--split S]",
  "compare variants in pairs: `saved`, `now`, saved names",
  function (console, rest)
    require("ecrb.repl.ablate")(console, rest)
  end }
-- }==================================================================

-- {==================================================================
-- The session itself
-- ===================================================================

known.log = { ":log", "what was done in this session", function (console)
  console.page(console.log:text())
end }

known.replay = { ":replay", "do the session's lines again; replies from its journal",
  function (console)
    for _, line in ipairs(console.log:lines()) do
      console.out("> " .. line .. "\n")
      console.execute(line)
    end
  end }

known.script = { ":script FILE", "save the session for `ecrb repl --exec FILE`",
  function (console, rest)
    if rest == "" then refuse("name a file: :script FILE") end
    system.write(rest, table.concat(console.log:lines(), "\n") .. "\n")
    console.out("saved in " .. rest .. "\n")
  end }

known.help = { ":help", "this list", function (console) console.page(commands.list()) end }

known.quit = { ":quit", "leave (Ctrl-D does too)", function (console)
  console.ended = true
end }
-- }==================================================================

function commands.names()
  local names = {}
  for name in pairs(known) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- The commands as a page, each with what it does.
function commands.list()
  local lines = {}
  for i, name in ipairs(commands.names()) do
    local usage, help = known[name][1], known[name][2]
    local gap = #usage > 19 and "\n" .. string.rep(" ", 20) or string.rep(" ", 20 - #usage)
    lines[i] = usage .. gap .. string.gsub(help, "\n", "\n" .. string.rep(" ", 20))
  end
  return table.concat(lines, "\n")
    .. "\nAnything else is Lua: evidence(item, \"blast\"), tree.children(\"1.1.1\"), x = 1\n"
end

-- Finds and runs a command line without its colon.
function commands.run(console, line)
  local name, rest = string.match(line, "^(%a+)%s*(.-)%s*$")
  local entry = name and known[name]
  if not entry then
    local best = near.name(name or "", known)
    refuse("there is no command `:%s`%s (:help lists them)", name or line,
      best and "; did you mean `:" .. best .. "`?" or "")
  end
  entry[3](console, rest)
end

return commands
