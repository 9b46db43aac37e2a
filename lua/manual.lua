-- Writes the manual page, ecrb(1), from the command line's parsers and the
-- heads of the shipped methods: ecrb lua lua/manual.lua >ecrb.1

package.path = string.match(arg[0], "^(.*/)") .. "?.lua;" .. package.path
local method = require "ecrb.method"
local parsers = require "parsers"
local shipped_methods = require "ecrb.shipped_methods"
local system = require "core.system"

-- A text for roff: nothing in it is a request, `words` in quotes are bold.
local function roff(text)
  text = string.gsub(text, "\\", "\\e")
  text = string.gsub(text, "%-", "\\-")
  text = string.gsub(text, "`([^`]*)`", "\\fB%1\\fP")
  return (string.gsub("\n" .. text, "\n([.'])", "\n\\&%1"):sub(2))
end

local function say(format, ...)
  local texts = { ... }
  for i, text in ipairs(texts) do texts[i] = roff(text) end
  io.write(string.format(format, table.unpack(texts)), "\n")
end

local function sentence(text)
  text = string.gsub(text, "^%l", string.upper)
  return string.find(text, "%.$") and text or text .. "."
end

local function tagged(tag, text)
  io.write(".TP\n", tag, "\n")
  say("%s", sentence(text))
end

local function option(one)
  local aliases, value = parsers.option(one)
  local names = {}
  for i, alias in ipairs(aliases) do names[i] = "\\fB" .. roff(alias) .. "\\fP" end
  tagged(table.concat(names, ", ") .. (value and " \\fI" .. roff(value) .. "\\fP" or ""),
    (one._description or "") .. (one._default and " (default: " .. one._default .. ")" or ""))
end

local function argument(one)
  local name = type(one._argname) == "string" and one._argname or string.upper(one._name)
  tagged("\\fI" .. roff(name) .. "\\fP", one._description or "")
end

local function command(one)
  say('.SS "%s"', one.title)
  say("%s", sentence(one.parser._description or ""))
  for _, each in ipairs(one.parser._arguments) do argument(each) end
  for _, each in ipairs(one.parser._options) do
    if each._name ~= "help" then option(each) end
  end
end

local function methods()
  local paths = shipped_methods.paths()
  for _, id in ipairs(shipped_methods.ids()) do
    tagged("\\fB" .. id .. "\\fP", method.load(paths[id]).title)
  end
end

local head = [[
.\" Made by lua/manual.lua from the command line's own parsers.
.TH ECRB 1 "" "ecrb @VERSION@" "User commands"
.SH NAME
ecrb \- measures what language models know about enzymes
.SH SYNOPSIS
.nf
\fBecrb\fP \fIMETHOD\fP [options]
\fBecrb\fP \fICOMMAND\fP [options]
\fBecrb lua\fP \fIFILE\fP [arguments]
.fi
.SH DESCRIPTION
ecrb asks a model for the EC numbers of enzymes, in settings that differ in one
thing at a time, and says how often it is right, with intervals.
A \fIMETHOD\fP is a Lua script or the id of a shipped one; it runs over the items
of a benchmark.
Without \fB\-\-model\fP the built\-in reader answers: a program that reads the
evidence in the prompt, not a language model.
A run is a folder: whatever stops it, the same command goes on from there and
pays for no finished call again.
.PP
\fBecrb help api\fP lists what a method script finds, \fBecrb help core\fP what C
offers to Lua programs.
\fBecrb lua\fP runs a Lua file with all of Lua and ecrb's modules in reach.]]

local tail = [[
.SH EXIT STATUS
.TP
0
Done.
.TP
1
Done, but some items ended in a failed call or a script's error;
\fB\-\-retry\-failed\fP and \fB\-\-retry\-script\-errors\fP ask them again.
.TP
2
The command line or an input is wrong; the message says what to do.
.TP
3
Paused by the endpoint or a budget, or shards are missing; the same command goes
on.
.TP
130
Interrupted; the same command goes on.
.SH ENVIRONMENT
.TP
\fBOPENAI_BASE_URL\fP, \fBOPENAI_API_KEY\fP
The endpoint of a model that no entry describes, and its key.
.TP
\fBECRB_HOME\fP
The folder that holds ecrb's lua/, prompts/, methods/ and data/, where it is not
found from the program.
.TP
\fBECRB_DEBUG\fP
Errors come with a traceback.
.TP
\fBVISUAL\fP, \fBEDITOR\fP, \fBPAGER\fP, \fBNO_COLOR\fP
What the REPL edits and shows long texts with (vi, less), and whether in colour.
.SH FILES
.TP
\fI$XDG_CONFIG_HOME/ecrb/models.lua\fP
Models with a name: address, variable of the key, prices, limits.
.TP
\fI$XDG_DATA_HOME/ecrb/variants\fP
What \fB:save\fP of the REPL wrote; in a checkout that is prompts/variants.
.TP
\fI$XDG_CACHE_HOME/ecrb\fP
Indexes of training sets of \fBecrb annotate\fP.
.TP
\fIruns/\fP
Run folders: run.json, calls.jsonl and items.jsonl each.
.SH EXAMPLES
.nf
ecrb m2 \-\-split price
ecrb m2 \-\-model NAME \-\-split price \-\-dry\-run
ecrb compare runs/A runs/B
ecrb report runs/*
.fi]]

io.write((string.gsub(head, "@VERSION@", system.version)), "\n.SH METHODS\n")
methods()
io.write(".SH COMMANDS\nEach knows \\fB\\-h\\fP, \\fB\\-\\-help\\fP.\n")
for _, one in ipairs(parsers.all()) do command(one) end
io.write(tail, "\n")
