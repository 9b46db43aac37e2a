-- The words that a method script has. Each is documented once, here, in the
-- block above it; `ecrb help api` prints these blocks. Scripts get nothing else
-- but the frozen standard library of ecrb.frozen.

local ask = require "ecrb.ask"
local brief = require "ecrb.brief"
local consensus = require "ecrb.consensus"
local core_ec = require "core.ec"
local core_text = require "core.text"
local core_vote = require "core.vote"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local pages = require "ecrb.pages"
local sandbox = require "core.sandbox"
local sequence = require "core.sequence"
local task = require "ecrb.task"

-- How long a reply is that a script lets the host read is none of its doing.
local reading = {}
for name, read in pairs(require "ecrb.reading") do reading[name] = sandbox.unwatched(read) end

local primitives = {}

local function lost_world(code, message)
  error({ code = code, message = message }, 0)
end

-- Only the enzyme in hand can be asked about.
local function own(enzyme)
  local context = task.current()
  if not rawequal(enzyme, context.enzyme) then
    error("the first argument must be the enzyme that `run` was handed", 3)
  end
  return context
end

-- What is read is a whole reply, of which the spans are kept, and not its text.
local function text_of(reply)
  if type(reply) ~= "table" or type(reply.text) ~= "string" then
    error("the first argument must be the reply that `ask` returned", 3)
  end
  return reading.without_questions(reply.text, reply.messages or {})
end

-- What depends on the item alone is worked out once: a walk asks four times
-- about the same enzyme.
local function once(context, name, make)
  local known = context.root.known
  if known[name] == nil then known[name] = make() end
  return known[name]
end

--- ask(messages, opt) -> reply
--- Sends one question to the model and waits for its reply. `messages` is what
--- `prompt` returns, or one string. Of `opt`, which may be left out, it uses
--- temperature, top_p, max_tokens, thinking, stop, choices and tools. The reply
--- has `text`, `call` ({name=, arguments=}) where it calls an offered tool, and
--- `reasoning` where the model keeps it apart. Where no reply can be had, it
--- raises a table {code=, message=}: the host records an abstention with that
--- cause. A reply that stands in the run's journal is not paid for again.
primitives.ask = sandbox.unwatched(ask.ask)

local CHAINS = { whole = true, least = 1, most = 1000 }

--- sample(k, f) -> results
--- Runs f(1), ..., f(k) at once, each as a chain with seeds of its own. Returns
--- what they returned, in index order whatever came first; k is a whole number
--- from 1 to 1000. A chain whose calls failed counts as a result with an empty
--- path and its cause; a mistake in f is raised.
function primitives.sample(k, f)
  if not numbers.fit(k, CHAINS) then
    error(string.format("sample: %s chains; it takes a %s", tostring(k),
      numbers.allowed(CHAINS)), 2)
  end
  local results = {}
  for i, result in ipairs(task.sample(k, f)) do
    if result.ok then
      results[i] = result.value
    elseif primitives.lost(result.value) then
      results[i] = { path = {}, stop = { level = 1, cause = result.value.code,
                                         message = result.value.message } }
    else
      error(result.value, 0)
    end
  end
  return results
end

--- method(name) -> method
--- Another method as a base: its table, with `run(enzyme, opt)`. `name` is a
--- shipped method's id or a script beside this one; it must be the value of the
--- option that this method names as its `base`, or it raises.
function primitives.method(name)
  local run = task.current().run
  local base = run.method.base_methods and run.method.base_methods[name]
  if not base then
    error("method `" .. tostring(name) .. "` is not this method's declared base", 2)
  end
  return base:instance(run)
end

--- prompt(name, values) -> messages
--- Fills the template prompts/NAME.txt, one of ecrb's or one that stands beside
--- the script; `prompts` of the method names it. `values` is a table of texts
--- and numbers by name. A value that the template does not use and a {{name}}
--- that has no value are errors. Returns what `ask` takes, {{role=,
--- content=}...}.
function primitives.prompt(name, values)
  local context = task.current()
  local template, message = context.run.prompts:get(name)
  if not template then error(message, 2) end
  context.step = name
  return context.run.prompts.render(template, values)
end

--- candidates(enzyme, node, page) -> list
--- What the level below `node` (`-.-.-.-`: the root) offers: {ec=, name=} each,
--- shuffled; the same list for every method and model that stands at that node.
--- Annotation offers all children, page by page (1 where `page` is left out):
--- `list.more` is how many come after this one, nil on the last.
function primitives.candidates(enzyme, node, page)
  local context = own(enzyme)
  local list = context.run.paged and pages.of(context, node, page or 1)
    or context.run.bench:candidates(context.index, node, context.run.rule)
  for _, candidate in ipairs(list) do context.offered[candidate.ec] = node end
  return list
end

--- children(node) -> list
--- The EC numbers of all children of a node of the EC tree, in EC order; raises
--- where it is none.
function primitives.children(node)
  return task.current().run.tree:children(node)
end

--- known(ec) -> boolean
--- Whether an EC number, in any spelling, is a node of the tree.
function primitives.known(number)
  return task.current().run.tree:has(number)
end

--- ec.parse(text) -> ec, level, kind
--- The canonical spelling of an EC number (`2.5.1` and `2.5.1.-` are one node),
--- its level 0 to 4 and its kind, `plain`, `preliminary` or `brenda`; nil where
--- the text is none. The others, which raise there:

--- ec.prefix(ec, level) -> ec
--- The node of that level above it.

--- ec.level(ec) -> level
--- 4 for a leaf, 0 for the root.

--- ec.path(ec) -> {ec...}
--- The nodes from level 1 down to the number itself: what a result's `path` is.

--- ec.shared(a, b) -> level
--- How many leading parts two EC numbers have in common.

--- ec.compare(a, b) -> number
--- Below 0 where a stands before b in EC order, 0 where they are the same.

--- ec.list(text) -> {ec...}
--- EC numbers between `;` or `,`; nil where one of them is none.
primitives.ec = core_ec

-- The hits of a channel; all that a run shows are read together.
local function hits_in(context, channel, most)
  local run = context.run
  local function read(number)
    local found = run.bench:evidence(context.index, channel, number)
    return table.move(found, 1, #found, 1, {})
  end
  if most > run.hits then return read(most) end
  local hits = once(context, "hits " .. channel, function ()
    return read(run.hits)
  end)
  return table.move(hits, 1, math.min(most, #hits), 1, {})
end

--- channels(enzyme) -> names
--- The evidence channels that hold a record for the enzyme, in the benchmark's
--- order; none when the book is closed.
function primitives.channels(enzyme)
  local context = own(enzyme)
  local run, names = context.run, {}
  if run.book ~= "open" then return names end
  for _, channel in ipairs(run.channels) do
    if #run.bench:evidence(context.index, channel, 1) > 0 then
      names[#names + 1] = channel
    end
  end
  return names
end

-- What a script may see of a hit: not the neighbour's real name.
local function shown_hit(hit)
  return { rank = hit.rank, shown = hit.shown, ec = hit.ec, score = hit.score, kind = hit.kind,
           identity = hit.identity, coverage = hit.coverage, evalue = hit.evalue }
end

--- evidence(enzyme, channel, most) -> hits
--- The hits of one channel, best first: {rank, shown, ec, score, kind,
--- identity, coverage, evalue}, `most` of them (default: what `--hits` says);
--- empty when the book is closed. Raises for a channel that does not exist.
function primitives.evidence(enzyme, channel, most)
  local context = own(enzyme)
  local run = context.run
  if run.book ~= "open" then return {} end
  if not run.channel_set[channel] then
    error(string.format("there is no evidence channel `%s`%s", tostring(channel),
      near.hint(tostring(channel), run.channels)), 2)
  end
  local hits = hits_in(context, channel, most or run.hits)
  for i, hit in ipairs(hits) do hits[i] = shown_hit(hit) end
  return hits
end

--- retrieve(enzyme, channel) -> {channel=, hits=}
--- What `evidence` gives, as a recorded call: it counts in retrievals per
--- enzyme.
function primitives.retrieve(enzyme, channel)
  local context = own(enzyme)
  context.channels[#context.channels + 1] = channel
  return { channel = channel, hits = primitives.evidence(enzyme, channel) }
end

--- motifs(enzyme) -> {{name, pattern, at, length}...}
--- Where the six motif patterns match the sequence: weak priors, not facts.
function primitives.motifs(enzyme)
  own(enzyme)
  return sequence.motifs(enzyme.sequence)
end

--- descriptors(enzyme) -> table
--- Of the sequence: length, weight_kda, hydropathy, hydrophobic_fraction,
--- longest_hydrophobic_run, membrane, positive_fraction, negative_fraction,
--- net_charge, top and top_fraction (the three most frequent letters),
--- entropy_bits, low_complexity.
function primitives.descriptors(enzyme)
  own(enzyme)
  return sequence.describe(enzyme.sequence)
end

--- about(enzyme) -> text
--- The enzyme for a prompt: anonymized name, descriptors, sequence (the first
--- 1,100 residues, with a note of the full length).
function primitives.about(enzyme)
  return once(own(enzyme), "about", function () return brief.enzyme(enzyme) end)
end

--- reaction_text(reaction, shown, with_text) -> text
--- A reaction for a prompt, where the items are reactions: `shown` is `words`,
--- `smiles` or `both`; `with_text` adds what a database says about it.
function primitives.reaction_text(reaction, shown, with_text)
  own(reaction)
  return brief.reaction(reaction, shown, with_text)
end

--- evidence_text(enzyme) -> text
--- All cached hits as one table; when the book is closed, the sentence that
--- none is available.
function primitives.evidence_text(enzyme)
  local context = own(enzyme)
  if context.run.book ~= "open" then return brief.no_evidence end
  return once(context, "evidence", function ()
    local tables = {}
    for i, channel in ipairs(primitives.channels(enzyme)) do
      tables[i] = { channel = channel, hits = hits_in(context, channel, context.run.hits) }
    end
    return brief.evidence(tables)
  end)
end

--- observation_text(observations) -> text
--- For a prompt: one table of all that `retrieve` returned so far, a list.
function primitives.observation_text(observations)
  if #observations == 0 then return "No evidence channel has been read yet." end
  return brief.evidence(observations)
end

--- thought_text(thoughts) -> text
--- For a prompt: the hypotheses of earlier turns, {level=, hypothesis=,
--- enough=} each, the last two texts of the model or nil.
function primitives.thought_text(thoughts)
  local rows = {}
  for i, thought in ipairs(thoughts) do
    rows[i] = string.format("- level %d: %s (evidence enough: %s)", thought.level,
      thought.hypothesis or "no hypothesis stated", thought.enough or "not stated")
  end
  return #rows > 0 and table.concat(rows, "\n") or "None yet."
end

-- The channels of a menu that have not been read.
local function unread(menu, observations)
  local read, left = {}, {}
  for _, seen in ipairs(observations) do read[seen.channel] = true end
  for _, channel in ipairs(menu) do
    if not read[channel] then left[#left + 1] = channel end
  end
  return left
end

--- menu_text(menu, observations, left) -> text
--- For a prompt: the channels of the list `menu` that no observation is of,
--- each with what it is, and that `left` calls are left; where none can be
--- called, that a decision is due.
function primitives.menu_text(menu, observations, left)
  local rows = {}
  for i, channel in ipairs(unread(menu, observations)) do
    rows[i] = "- " .. channel .. "  " .. (brief.channel_notes[channel] or "evidence channel")
  end
  if #rows == 0 then
    return "No further evidence can be called now: commit to a candidate or answer UNSURE."
  end
  return string.format("%s\nCalls left for this enzyme: %d.", table.concat(rows, "\n"), left)
end

--- menu_tools(menu, observations) -> tools
--- The same menu as a native tool for `ask` ({tools = ...}): one function,
--- `read_evidence`, whose argument `channel` names what can still be called;
--- nil where nothing can.
function primitives.menu_tools(menu, observations)
  local left = unread(menu, observations)
  if #left == 0 then return nil end
  return { { name = "read_evidence", description = "Read one evidence channel for the query.",
             parameters = { type = "object", required = { "channel" },
                            properties = { channel = { type = "string", enum = left } } } } }
end

--- motif_text(enzyme) -> text
--- The motif list for a prompt: each of the six with where it matches.
function primitives.motif_text(enzyme)
  own(enzyme)
  return brief.motifs(enzyme)
end

--- candidate_text(candidates, names) -> text
--- A list of {ec=, name=} for a prompt, one a line, UNSURE last; `names` false
--- leaves the nodes' names out.
primitives.candidate_text = brief.candidates

--- candidate_words(candidates) -> words
--- What a reply may choose, for `ask` ({choices = ...}): the candidates' EC
--- numbers, MORE where they have further pages, UNSURE.
function primitives.candidate_words(candidates)
  local list = {}
  for i, candidate in ipairs(candidates) do list[i] = candidate.ec end
  if candidates.more then list[#list + 1] = "MORE" end
  list[#list + 1] = "UNSURE"
  return list
end

-- One repair request for a reply that cannot be read.
local function repaired(reply, reason, read)
  local messages = {}
  for i, message in ipairs(reply.messages) do messages[i] = message end
  messages[#messages + 1] = { role = "assistant", content = reply.text }
  for _, message in ipairs(primitives.prompt("repair", { reason = reason })) do
    messages[#messages + 1] = message
  end
  local second = ask.ask(messages, reply.opt)
  local result, why = read(text_of(second))
  if result then return result, second end
  lost_world("unreadable", why)
end

local function keep_span(context, reply, what, span)
  context.spans[#context.spans + 1] = { key = reply.key, what = what, first = span.first,
                                        last = span.last }
end

local function with_confidence(context, reply, decision)
  local value, span = reading.confidence(text_of(reply))
  if value then
    decision.confidence = value
    keep_span(context, reply, "confidence", span)
  else
    primitives.note("confidence", span)
  end
  return decision
end

-- The channel that a reply calls as a tool, if it is on the menu.
local function tool_choice(reply, menu)
  local wanted = reply.call and reply.call.arguments.channel
  for _, channel in ipairs(wanted and menu or {}) do
    if channel == wanted then return { call = channel } end
  end
end

--- choice(reply, candidates, menu) -> decision
--- Reads which candidate a reply commits to: {ec=} or {unsure=true}, with the
--- stated confidence; where `menu` lists channels, {call=channel}, whether the
--- reply names it in an ACTION line or calls it as a tool; where the candidates
--- have more pages, {more=true}. A reply that offers none or several gets one
--- repair request; then `unreadable` is raised.
function primitives.choice(reply, candidates, menu)
  local context, text = task.current(), text_of(reply)
  local called = tool_choice(reply, menu or {})
  if called then return called end
  local function read(body)
    local channel, span = reading.action(body, menu or {})
    if channel then return { call = channel, first = span.first, last = span.last } end
    return reading.choice(body, candidates)
  end
  local result, reason = read(text)
  if not result then result, reply = repaired(reply, reason, read) end
  keep_span(context, reply, result.call and "call" or "choice", result)
  if result.call then return { call = result.call } end
  if result.more then return { more = true } end
  return with_confidence(context, reply, { ec = result.ec, unsure = result.unsure })
end

--- answer(reply) -> result
--- Reads a free-text EC number: the last explicit answer, else the only one.
--- The result is what `run` may return. Raises `unreadable` where there is
--- none.
function primitives.answer(reply)
  local context = task.current()
  local result, reason = reading.answer(text_of(reply))
  if not result then lost_world("unreadable", reason) end
  keep_span(context, reply, "answer", result)
  if result.unsure then
    return { path = {}, stop = { level = 1, cause = "abstained" } }
  end
  return { path = core_ec.path(result.ec), others = result.others }
end

--- ranking(reply, most) -> result
--- Reads a list of EC numbers, best first: the last answer line, or a reply
--- that is nothing but a list. The result is what `run` may return, the first
--- one committed and the rest in `others`, `most` in all. Raises `unreadable`
--- where there is none.
function primitives.ranking(reply, most)
  local context = task.current()
  local list, reason = reading.ranking(text_of(reply))
  if not list then lost_world("unreadable", reason) end
  if list.unsure then
    keep_span(context, reply, "answer", list)
    return { path = {}, stop = { level = 1, cause = "abstained" } }
  end
  local others = {}
  for i = 1, math.min(#list, most) do
    keep_span(context, reply, "answer", list[i])
    others[i - 1] = i > 1 and list[i].ec or nil
  end
  return { path = core_ec.path(list[1].ec), others = #others > 0 and others or nil }
end

--- field(reply, name) -> text
--- The value of the last line `NAME: value` in a reply, without marks; nil
--- where there is none.
function primitives.field(reply, name)
  local value, span = reading.field(text_of(reply), name)
  if value then keep_span(task.current(), reply, name, span) end
  return value
end

--- find(text, regex, init) -> first, last, captures...
--- The first match of a PCRE2 expression from byte `init` (1) on; nil where
--- there is none. Raises for a broken expression and at the match limit.
--- Scripts have no other text matcher.
primitives.find = core_text.find

--- split(text, separator) -> list
--- The parts of a text between a one-character separator, without blanks
--- around.
function primitives.split(whole, separator)
  local parts = {}
  for part in string.gmatch(whole, "[^" .. string.gsub(separator, "%W", "%%%0") .. "]+") do
    parts[#parts + 1] = (core_text.trim(part))
  end
  return parts
end

--- vote(paths, tau) -> {path=, share=, winning_share=, tied=}
--- The prefix vote over paths, lists of nodes, one a level: descends while most
--- paths hold a node, their share of all is at least tau (0.5), and it is a
--- child of the node above. `share` has the leading share of each level,
--- `winning_share` that of the last one accepted; `tied` tells whether a tie
--- ended it.
primitives.vote = core_vote.prefix

--- settled(chains, k, tau) -> boolean
--- Whether the vote of k chains is decided by the results that are in: they
--- agree, reach tau, outnumber those to come, and these could add no level
--- alone.
primitives.settled = consensus.is_settled

--- consensus(chains, tau, base, k) -> result
--- The prefix vote over the results of `sample`: the deepest stable prefix,
--- with the mean of the chains' confidences, the winning share and the
--- consensus depth. Validity follows the base. Where fewer than `k` chains were
--- drawn, the missing ones count in k and vote for nothing.
function primitives.consensus(chains, tau, base, k)
  return consensus.of(chains, tau, k or #chains, base.free_text)
end

--- elected(ballots) -> result
--- The neighbour vote over {ec=, weight=} ballots as a result: the EC with most
--- weight, a tie to the one met first; an abstention without ballots.
function primitives.elected(ballots)
  local winner, sum, total = core_vote.neighbours(ballots)
  if not winner then return { path = {}, stop = { level = 1, cause = "abstained" } } end
  return { path = core_ec.path(winner), share = sum / total }
end

--- note(name, value)
--- Writes a text or number into the item's record, for people and analyses; a
--- name may come again.
function primitives.note(name, value)
  local notes = task.current().notes
  notes[#notes + 1] = { name = tostring(name), value = tostring(value) }
end

--- lost(err) -> code
--- The code of a caught error {code=, message=}: a failed call, an unreadable
--- reply, a spent budget; nil for a mistake in a script, which is to be raised
--- again.
function primitives.lost(err)
  return type(err) == "table" and type(err.code) == "string" and err.code or nil
end

--- gold(enzyme) -> {ec...}
--- The labels. There is no such word but in a script that says grant =
--- "labels", which every table marks as an oracle (ecrb.run gives it).

return primitives
