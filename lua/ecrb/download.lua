-- A large file over HTTP, in parts, so that it never stands in memory and goes
-- on where it was cut. Beside the file, until it is whole:
--
--   FILE.part        what came so far, in order
--   FILE.part.json   of which address and version (its ETag) that is
--
-- A part is asked for with Range and If-Range: a server whose file has changed
-- sends no part of another one. The whole is checked against a SHA-256, if one
-- is given, and renamed; a whole that is another file is removed.

local contents = require "ecrb.contents"
local fail = require "ecrb.fail"
local headers = require "ecrb.wire.headers"
local import = require "core.import"
local json = require "ecrb.json"
local regular = require "ecrb.regular"
local sched = require "core.sched"
local status = require "ecrb.status"
local system = require "core.system"
local text = require "core.text"

local download = {}

local ATTEMPTS = 6       -- without a byte that came
local FIRST_ATTEMPTS = 3 -- before anything came
local REDIRECTS = 5
local PAUSE = 0.25       -- seconds, doubled with every attempt
local LONGEST_WAIT = 60  -- seconds between attempts

local function size_of(path)
  if not system.exists(path) then return 0 end
  local file <close>, problem = regular(path)
  if not file then fail("%s", problem) end
  return file:seek("end")
end

local function read_note(path)
  local noted = contents(path)
  local note = noted and json.decode(noted)
  return type(note) == "table" and note or {}
end

local function forget(self)
  system.remove(self.part)
  system.remove(self.note)
end

-- What an earlier session left, if it is of the same address.
local function take_up(self)
  local note = read_note(self.note)
  self.have = size_of(self.part)
  if self.have > 0 and (note.url ~= self.url or type(note.total) ~= "number") then
    forget(self)
    self.have = 0
  end
  if self.have > 0 then self.total, self.version = note.total, note.version end
  self.kept = self.have
end

-- {==================================================================
-- One request, inside a task
-- ===================================================================

local function origin_of(url)
  return string.match(url, "^(%a+://[^/?#]+)")
end

-- Where a redirection leads; never from https to http.
local function target_of(url, response)
  local to = headers.of(response.headers)("location")
  if not to or to == "" then fail("%s: a redirection to nowhere", url) end
  if string.sub(to, 1, 2) == "//" then to = string.match(url, "^%a+:") .. to end
  if string.sub(to, 1, 1) == "/" then to = origin_of(url) .. to end
  if not string.find(to, "^https?://") or string.find(to, "[%s%c]") then
    fail("%s: a redirection that is not followed: %s", url, text.printable(to))
  end
  if string.find(url, "^https:") and not string.find(to, "^https:") then
    fail("%s: a redirection to an address that is not secure: %s", url, text.printable(to))
  end
  return to
end

local redirections = { [301] = true, [302] = true, [303] = true, [307] = true, [308] = true }

local function wanted(self)
  local last = self.have + self.bytes - 1
  if self.total then last = math.min(last, self.total - 1) end
  local list = { string.format("Range: bytes=%d-%d", self.have, last), "Accept: */*",
    "User-Agent: ecrb/" .. system.version }
  if self.version then list[#list + 1] = "If-Range: " .. self.version end
  return list
end

-- Asks for the next part, following redirections.
local function ask(self)
  if self.delay then sched.sleep(self.delay) end
  local url = self.place or self.url
  for _ = 0, REDIRECTS do
    local response = sched.fetch { url = url, headers = wanted(self), proxy = self.proxy }
    if not redirections[response.status] then
      response.url = url
      return response
    end
    url = target_of(url, response)
  end
  fail("%s: more than %d redirections", self.url, REDIRECTS)
end
-- }==================================================================

-- {==================================================================
-- What came
-- ===================================================================

local function append(self, bytes)
  local file, reason = regular(self.part, "ab")
  if not file then fail("cannot be written: %s", reason) end
  local good, why = file:write(bytes)
  if good then good, why = file:close() end
  if not good then fail("%s: cannot be written: %s", self.part, why) end
  self.have = self.have + #bytes
end

-- A strong validator; a weak one says nothing about bytes.
local function version_in(get)
  local tag = get "etag"
  if tag and string.find(tag, '^"[^%c"]*"$') then return tag end
  return get "last-modified"
end

-- The first response tells how large the file is, and of which version.
local function note_file(self, get, total)
  if self.total == total then return end
  if self.total then
    forget(self)
    fail("%s: the file has changed while it was fetched (%d bytes, now %d): what came is "
      .. "removed; the same command begins anew", self.url, self.total, total)
  end
  self.total, self.version = total, version_in(get)
  system.write(self.note, json.encode { url = self.url, total = total, version = self.version })
end

local function take_part(self, response)
  local get = headers.of(response.headers)
  local range = get "content-range" or ""
  local first, last, total = string.match(range, "^bytes (%d+)%-(%d+)/(%d+)$")
  first, last, total = math.tointeger(first), math.tointeger(last), math.tointeger(total)
  if not total or first ~= self.have or last < first or last >= total
      or #response.body > last - first + 1 then
    fail("%s: the server sent other bytes than were asked for (from %d: `%s`, %d bytes)",
      self.url, self.have, text.printable(range), #response.body)
  end
  note_file(self, get, total)
  self.place = response.url
  append(self, response.body)
  return #response.body
end

-- A whole file that is no larger than a part comes at once.
local function take_whole(self, response)
  if self.have > 0 then
    forget(self)
    fail("%s: the file has changed since its first part came: what came is removed; the same "
      .. "command begins anew", self.url)
  end
  note_file(self, headers.of(response.headers), #response.body)
  append(self, response.body)
  return #response.body
end

local without_parts = "%s: the server does not send parts of a file, so that it cannot be "
  .. "resumed; fetch it with another program, `curl -L -o %s '%s'`, and go on from there"

local no_network = { dns = true, connect = true, tls = true, reset = true, first_byte = true,
  total = true, idle = true, other = true }

local passing = { [408] = true, [425] = true, [429] = true, [500] = true, [502] = true,
  [503] = true, [504] = true }

local function is_cut(response)
  return response.ending == "cut" or response.ending == "idle" or response.ending == "total"
end

-- The number of bytes that a response brought; nil where another attempt may
-- bring them. What no attempt can mend is refused.
local function take(self, response)
  local whole = response.ending == "done"
  if response.status == 206 and (whole or is_cut(response)) then
    return take_part(self, response)
  elseif response.status == 200 and response.ending == "too_large" then
    fail(without_parts, self.url, self.out, self.url)
  elseif whole and response.status == 200 then
    return take_whole(self, response)
  elseif whole and not passing[response.status] then
    fail("%s: the server answers %d; name another address with --url", self.url,
      response.status)
  end
end

-- Why an attempt brought nothing, for people.
local function reason_of(response)
  if response.ending == "done" then return "the server answers " .. response.status end
  local what = response.detail ~= "" and response.detail or response.ending
  return no_network[response.ending] and "no connection: " .. what or what
end

local function hint_of(response)
  local seconds = tonumber(headers.of(response.headers)("retry-after"))
  return seconds and seconds >= 0 and seconds or 0
end

-- Plans another attempt, or gives up.
local function try_again(self, response)
  self.failures = self.failures + 1
  if self.failures >= (self.total and ATTEMPTS or FIRST_ATTEMPTS) then
    fail("%s: %s (%d {attempt|attempts}); %s", self.url, reason_of(response), self.failures,
      self.have > 0 and string.format("%d bytes are kept in %s, the same command goes on from "
        .. "there", self.have, self.part) or "is there a network? A copy that you have can be "
        .. "unpacked by hand")
  end
  self.delay = math.min(LONGEST_WAIT, math.max(hint_of(response), PAUSE * 2 ^ self.failures))
end

local function settle(self, response)
  local came = take(self, response)
  if came and came > 0 then
    self.failures, self.delay = 0, nil
  else
    try_again(self, response)
  end
end
-- }==================================================================

local function is_whole(self)
  return self.total ~= nil and self.have >= self.total
end

local function describe(state, seconds)
  local rate = (state.done - state.kept) / math.max(seconds, 0.001)
  return string.format("%.1f of %.1f MB  %.1f MB/s  ETA %s", state.done / 1e6, state.total / 1e6,
    rate / 1e6, status.eta(state, seconds))
end

local function progress_of(self)
  return status.new(function ()
    return { done = self.have, kept = self.kept, total = self.total or self.have }
  end, describe)
end

-- Fetches part after part; returns how the loop ended.
local function run(self)
  local line = progress_of(self)
  local loop = sched.loop { body = self.bytes + 1, first_byte = 60, idle = 60, total = 600 }
  local good, how = pcall(loop.run, loop, {
    next = function ()
      if is_whole(self) then return nil end
      return function () return ask(self) end, nil, { seconds = 1e6 }
    end,
    done = function (ok, response)
      if ok then
        settle(self, response)
      elseif type(response) ~= "table" or response.code ~= "cancelled" then
        error(response, 0)
      end
    end,
    width = 1,
    tick = function () if not self.quiet then line:tick() end end,
  })
  line:clear()
  if not good then error(how, 0) end
  return how
end

local function check(self, digest)
  if not self.sha256 or string.lower(self.sha256) == digest then return end
  forget(self)
  fail("%s: the SHA-256 of what came is %s, not %s: it is removed; the same command begins "
    .. "anew", self.url, digest, self.sha256)
end

local function fetch(self)
  take_up(self)
  local how = is_whole(self) and "done" or run(self)
  if how ~= "done" then return how end
  local digest = import.sha256(self.part)
  check(self, digest)
  system.rename(self.part, self.out)
  system.remove(self.note)
  return "done", digest, self.total
end

-- Fetches `url` into the file `out`. spec: url, out, sha256, bytes (of a part),
-- proxy, quiet. Returns "done", the digest and the size; or "interrupted".
function download.get(spec)
  local self = { url = spec.url, out = spec.out, sha256 = spec.sha256, bytes = spec.bytes,
    proxy = spec.proxy, quiet = spec.quiet, failures = 0, part = spec.out .. ".part",
    note = spec.out .. ".part.json" }
  local lock <close> = system.lock(spec.out .. ".lock")
  if not lock then fail("%s: another ecrb fetches it; wait for it", spec.out) end
  local good, how, digest, size = pcall(fetch, self)
  system.remove(spec.out .. ".lock")
  if not good then error(how, 0) end
  return how, digest, size
end

return download
