-- The head of a report's page: what was run on what, and what to beware of.

local escaped = require "ecrb.html"
local regions = require "ecrb.report.regions"

local overview = {}

local function sizes(board)
  local parts = {}
  for i, split in ipairs(board.splits) do
    parts[i] = split .. ": " .. board.counts[split]
  end
  return string.format("%d (%s)", #board.items, table.concat(parts, ", "))
end

local function facts_of(board)
  local benchmark = board.benchmark
  return {
    { "Benchmark", benchmark.name },
    { "its bench.json", "SHA-256 " .. benchmark.sha256 },
    { "Items", sizes(board) },
    { "Runs", tostring(#board.arms) },
  }
end

local function facts_html(board)
  local out = { '<dl class="facts">' }
  for _, fact in ipairs(facts_of(board)) do
    out[#out + 1] = string.format("<dt>%s</dt><dd>%s</dd>", escaped(fact[1]),
      escaped(fact[2]))
  end
  out[#out + 1] = "</dl>"
  return table.concat(out, "\n")
end

local function short_of(arm)
  return string.match(arm.run.folder, "([^/]+)/*$") or arm.run.folder
end

local function runs_table(board)
  local rows = {}
  for i, arm in ipairs(board.arms) do
    local f = board:figures(arm)
    rows[i] = { arm.label, arm.model, f.n, f.l4, f.causes.answered,
                f.causes.abstained,
                f.n - f.causes.answered - f.causes.abstained,
                f.tokens.calls or 0, f.tokens.prompt or 0,
                f.tokens.completion or 0, short_of(arm) }
  end
  return { title = "The runs", rows = rows, notes = board:notes(),
           columns = { "setting", "model", "n", "L4", "answered", "abstained",
                       "other", "calls", "prompt tokens", "completion tokens",
                       "folder" } }
end

local warnings = {
  { "reader (a program, no LLM)", "The built-in reader is a program that reads "
    .. "the evidence rows of a prompt. It is not a language model; its figures "
    .. "are those of a control." },
  { "ORACLE (reads the labels)", "The oracle reads the labels. It is a bound, "
    .. "not a method." },
}

local function warnings_html(board)
  local out = {}
  for _, warning in ipairs(warnings) do
    for _, arm in ipairs(board.arms) do
      if arm.model == warning[1] then
        out[#out + 1] = '<p class="warning">' .. escaped(warning[2]) .. "</p>"
        break
      end
    end
  end
  return table.concat(out, "\n")
end

function overview.html(board)
  return facts_html(board) .. "\n" .. warnings_html(board)
    .. "<h3>The runs</h3>" .. regions.table(runs_table(board))
end

return overview
