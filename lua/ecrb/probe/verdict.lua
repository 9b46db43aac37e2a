-- What a probe says, alone or beside an earlier one of the same model:
-- `consistent`, `changed`, `inconsistent`, `cannot tell`; never "verified".
-- Statistical tests among the checks are corrected together (Holm).
local statistics = require "core.statistics"
local text = require "core.text"

local verdict = {}

local ALPHA = 0.05
local SAME_SLOPE = 0.01 -- tokens: a slope went through decimals on the disk
local PERMUTATIONS = 1000

local function finding(name, word, detail)
  return { check = name, verdict = word, detail = detail }
end

-- {====================================================================
-- Checks: each gets the new record and the earlier one (or nil)
-- =====================================================================

local function check_echo(now, before)
  local echo = now.echo
  if echo.kind == "different" then
    return finding("echo", "inconsistent", "answered as " .. echo.model)
  end
  if not before then return finding("echo", "cannot tell") end
  local old = before.echo
  if echo.model ~= old.model then
    return finding("echo", "changed", string.format("%s, before %s",
      echo.model or "no name", old.model or "no name"))
  end
  if echo.fingerprint ~= old.fingerprint then
    return finding("echo", "changed", "another system fingerprint")
  end
  return finding("echo", echo.model and "consistent" or "cannot tell")
end

local function by(list, key)
  local map = {}
  for _, entry in ipairs(list) do map[entry[key]] = entry end
  return map
end

local function check_tokenizer(now, before)
  if not before then return finding("tokenizer", "cannot tell") end
  local old, compared = by(before.tokenizer, "unit"), 0
  for _, unit in ipairs(now.tokenizer) do
    local earlier = old[unit.unit]
    if earlier and earlier.slope and unit.slope then
      compared = compared + 1
      if math.abs(earlier.slope - unit.slope) > SAME_SLOPE then
        return finding("tokenizer", "changed", string.format(
          "%s: %.4g tokens a line, before %.4g", unit.unit, unit.slope,
          earlier.slope))
      end
    end
  end
  return finding("tokenizer", compared > 0 and "consistent" or "cannot tell")
end

local function check_capabilities(now, before)
  if not before then return finding("capabilities", "cannot tell") end
  local old, different = by(before.capabilities, "name"), {}
  for _, entry in ipairs(now.capabilities) do
    local earlier = old[entry.name]
    if earlier and earlier.state ~= entry.state
      and earlier.state ~= "cannot tell" and entry.state ~= "cannot tell" then
      different[#different + 1] = entry.name .. ": " .. entry.state
        .. ", before " .. earlier.state
    end
  end
  if #different > 0 then
    return finding("capabilities", "changed", table.concat(different, "; "))
  end
  return finding("capabilities", "consistent")
end

local function check_context(now, before)
  local context = now.context
  if context.whole == false then
    return finding("context", "inconsistent", string.format(
      "a prompt of about %.0f tokens (less %.0f at most) was counted as %d",
      context.expected, context.tolerance, context.counted))
  end
  if context.whole == nil and context.found_short and not context.found
    and context.cause == nil then
    return finding("context", "inconsistent",
      "no tokens are counted, and the beginning of a long prompt was not read")
  end
  if not before then return finding("context", "cannot tell") end
  return finding("context", context.whole and "consistent" or "cannot tell")
end

-- {====================================================================
-- Two samples of answers: the mean share of disagreeing pairs across, minus
-- that within (an energy distance), under permutations of who said what
-- =====================================================================

local function disagreement(a, b, same)
  local different, seen = 0, 0
  for i, x in ipairs(a) do
    for j, y in ipairs(b) do
      if not (same and i == j) then
        seen = seen + 1
        if x ~= y then different = different + 1 end
      end
    end
  end
  return seen > 0 and different / seen or 0
end

local function distance(a, b)
  return 2 * disagreement(a, b) - disagreement(a, a, true)
    - disagreement(b, b, true)
end

local function total_distance(a, b)
  local sum = 0
  for i in ipairs(a) do sum = sum + distance(a[i], b[i] or {}) end
  return sum
end

-- A number below n out of a running count: repeatable, and no state to keep.
local function draw(count, n)
  return tonumber(string.sub(text.sha256("permutation " .. count), 1, 12), 16)
    % n
end

local function dealt(a, b, count)
  local all = table.move(b, 1, #b, #a + 1, table.move(a, 1, #a, 1, {}))
  for i = #all, 2, -1 do
    local j = draw(count + i, i) + 1
    all[i], all[j] = all[j], all[i]
  end
  return table.move(all, 1, #a, 1, {}), table.move(all, #a + 1, #all, 1, {})
end

local function permuted(a, b, round)
  local x, y = {}, {}
  for i in ipairs(a) do
    x[i], y[i] = dealt(a[i], b[i] or {}, round * 1000 + i * 100)
  end
  return total_distance(x, y)
end

-- The chance of a distance as large where both samples have one source.
function verdict.sample_p(a, b)
  local seen, larger = total_distance(a, b), 0
  for round = 1, PERMUTATIONS do
    if permuted(a, b, round) >= seen - 1e-12 then larger = larger + 1 end
  end
  return (larger + 1) / (PERMUTATIONS + 1)
end

-- }====================================================================

-- Fisher's exact test, two-sided, for `a` of `n` against `b` of `m`.
function verdict.fisher_p(a, n, b, m)
  local function log_choose(top, k)
    local sum = 0
    for i = 1, k do sum = sum + math.log((top - k + i) / i) end
    return sum
  end
  local all = log_choose(n + m, a + b)
  local function chance(x)
    return math.exp(log_choose(n, x) + log_choose(m, a + b - x) - all)
  end
  local seen, p = chance(a), 0
  for x = math.max(0, a + b - m), math.min(n, a + b) do
    local each = chance(x)
    if each <= seen * (1 + 1e-9) then p = p + each end
  end
  return math.min(1, p)
end

local function statistical(now, before)
  local names, p = { "answers", "floor" }, {}
  p[1] = verdict.sample_p(now.sameness.answers, before.sameness.answers)
  p[2] = verdict.fisher_p(now.floor.right, now.floor.of, before.floor.right,
                          before.floor.of)
  local results = {}
  for i, adjusted in ipairs(statistics.holm(p)) do
    results[i] = finding(names[i], adjusted < ALPHA and "changed"
      or "consistent", string.format("p = %.3f (Holm)", adjusted))
  end
  return results
end

-- }====================================================================

local CHECKS = {
  { "echo", check_echo }, { "tokenizer", check_tokenizer },
  { "capabilities", check_capabilities }, { "context", check_context },
}
local ORDER = { "inconsistent", "changed", "consistent", "cannot tell" }

local function has(findings, word)
  for _, each in ipairs(findings) do
    if each.verdict == word then return true end
  end
  return false
end

-- Each check with the parts that it needs: a short probe leaves some out.
local function checked(now, before)
  local findings = {}
  for _, check in ipairs(CHECKS) do
    local part = check[1]
    if now[part] then
      local earlier = before and before[part] and before
      findings[#findings + 1] = check[2](now, earlier)
    end
  end
  return findings
end

-- The overall word and the findings behind it. `before` may be nil.
function verdict.of(now, before)
  local findings = checked(now, before)
  if before and now.sameness and before.sameness then
    table.move(statistical(now, before), 1, 2, #findings + 1, findings)
  end
  for _, word in ipairs(ORDER) do
    if has(findings, word) then return word, findings end
  end
  return "cannot tell", findings
end

return verdict
