-- `ecrb bench fetch` against a server on the loopback that sends parts, wrong
-- bytes, other files and cut connections.

local faults = dofile("tests/support/faults.lua")
local system = require "core.system"
local text = require "core.text"

local tmp = os.getenv("TMP") or system.temporary("/tmp")

local content = "abcdefghijklmnopqrstuvwxy" -- 25 bytes
local digest = text.sha256(content)

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("a")
  file:close()
  return bytes
end

-- An answer with the bytes from `first` to `last`, counted from 0.
local function part(first, last, more)
  more = more or {}
  local body = more.body or string.sub(content, first + 1, last + 1)
  return string.format("answer\nstatus 206\nheader Content-Range: bytes %d-%d/%d\n"
    .. "header ETag: %s\nlength %d\nend\nsend '%s'\n%s", first, last, more.total or #content,
    more.tag or '"v1"', last - first + 1, body, more.last or "")
end

local function whole(body)
  return string.format("answer\nstatus 200\nlength %d\nend\nsend '%s'\n", #body, body)
end

-- Runs the command against a server with these answers; returns its exit code,
-- what it printed, the folder, and the ranges that were asked for.
local function fetch(answers, options)
  options = options or {}
  local folder = options.folder or system.temporary(tmp)
  local server = faults.start("on GET /fetch/file\n" .. table.concat(answers)
    .. (options.script or ""))
  local words = { "ecrb", "bench", "fetch", "care", "--quiet", "--url",
    server:url "fetch/file", "--out", folder .. "/file", "--part", "10" }
  table.move(options.words or {}, 1, #(options.words or {}), #words + 1, words)
  local code, output = system.run(words)
  local ranges, versions = {}, {}
  for i, request in ipairs(server:requests "fetch") do
    ranges[i], versions[i] = request.headers.range or "-", request.headers["if-range"] or "-"
  end
  local place = server:url "fetch/file"
  server:stop()
  output = string.gsub(output, string.gsub(place, "%p", "%%%0"), "URL")
  output = string.gsub(output, string.gsub(folder, "%p", "%%%0"), "DIR")
  return { code = code, output = output, folder = folder, ranges = ranges, versions = versions }
end

local function check_done(got)
  assert.equal(0, got.code, got.output)
  assert.equal(content, read(got.folder .. "/file"))
  assert.same({ "file" }, system.list(got.folder))
end

local function check_refused(expected, got)
  assert.equal("ecrb: " .. expected .. "\n", got.output)
  assert.equal(2, got.code)
  assert.is_nil(read(got.folder .. "/file"))
end

describe("bench fetch", function ()
  it("puts parts together, and tells the digest", function ()
    local got = fetch { part(0, 9), part(10, 19), part(20, 24) }
    check_done(got)
    assert.same({ "bytes=0-9", "bytes=10-19", "bytes=20-24" }, got.ranges)
    assert.same({ "-", '"v1"', '"v1"' }, got.versions)
    assert.equal("DIR/file: 25 bytes, SHA-256 " .. digest .. " (nothing to compare it with: give "
      .. "--sha256)\nunpack it with `unzip DIR/file`, or the same command with --unpack\n",
      got.output)
  end)

  it("accepts the right digest, and removes a file with a wrong one", function ()
    local answers = { part(0, 9), part(10, 19), part(20, 24) }
    check_done(fetch(answers, { words = { "--sha256", string.upper(digest) } }))
    answers[2] = part(10, 19, { body = "KLMNOPQRST" })
    local got = fetch(answers, { words = { "--sha256", digest } })
    check_refused("URL: the SHA-256 of what came is "
      .. text.sha256("abcdefghijKLMNOPQRSTuvwxy") .. ", not " .. digest .. ": it is removed; the "
      .. "same command begins anew", got)
    assert.same({}, system.list(got.folder))
  end)

  it("goes on where the connection was cut", function ()
    local cut = "answer\nstatus 206\nheader Content-Range: bytes 10-19/25\nheader ETag: \"v1\"\n"
      .. "length 10\nend\nsend 'klmn'\nclose\n"
    local got = fetch { part(0, 9), cut, part(14, 23), part(24, 24) }
    check_done(got)
    assert.same({ "bytes=0-9", "bytes=10-19", "bytes=14-23", "bytes=24-24" }, got.ranges)
  end)

  it("tries again after a reset and a busy server", function ()
    local got = fetch { part(0, 9), "answer\nreset\n", "answer\nstatus 503\nbody ''\n",
      part(10, 19), part(20, 24) }
    check_done(got)
    assert.same({ "bytes=0-9", "bytes=10-19", "bytes=10-19", "bytes=10-19", "bytes=20-24" },
      got.ranges)
  end)

  it("goes on in another session with what came, and only of the same file", function ()
    local got = fetch { part(0, 9), "answer 9\nreset\n" }
    check_refused("URL: no connection: Recv failure: Connection reset by peer (6 attempts); 10 "
      .. "bytes are kept in DIR/file.part, the same command goes on from there", got)
    assert.same({ "file.part", "file.part.json" }, system.list(got.folder))
    local note = read(got.folder .. "/file.part.json")
    local port = string.match(note, ":(%d+)")
    assert.is_truthy(port)
    -- Another port is another address: it begins anew.
    got = fetch({ part(0, 9), part(10, 19), part(20, 24) }, { folder = got.folder })
    check_done(got)
    assert.equal("bytes=0-9", got.ranges[1])
  end)

  it("survives a kill", function ()
    local folder = system.temporary(tmp)
    local server = faults.start("on GET /fetch/file\n" .. part(0, 9) .. part(10, 19)
      .. "answer\nhang\n" .. part(20, 24))
    local words = { "ecrb", "bench", "fetch", "care", "--quiet", "--url",
      server:url "fetch/file", "--out", folder .. "/file", "--part", "10" }
    do
      local p <close> = system.start(words)
      local last = system.monotonic() + 30
      while #server:requests "fetch" < 3 and system.monotonic() < last do
        assert.is_nil(p:wait(0.02))
      end
    end
    assert.equal(string.sub(content, 1, 20), read(folder .. "/file.part"))
    local code, output = system.run(words)
    local ranges = {}
    for i, request in ipairs(server:requests "fetch") do ranges[i] = request.headers.range end
    server:stop()
    assert.equal(0, code, output)
    assert.equal(content, read(folder .. "/file"))
    assert.same({ "bytes=0-9", "bytes=10-19", "bytes=20-24", "bytes=20-24" }, ranges)
  end)

  it("begins anew where the file has changed", function ()
    local got = fetch { part(0, 9), part(10, 19, { total = 30, tag = '"v2"' }) }
    check_refused("URL: the file has changed while it was fetched (25 bytes, now 30): what came "
      .. "is removed; the same command begins anew", got)
    assert.same({}, system.list(got.folder))
    got = fetch { part(0, 9), whole("short") }
    check_refused("URL: the file has changed since its first part came: what came is removed; "
      .. "the same command begins anew", got)
  end)

  it("takes a small file whole, and no large one", function ()
    local got = fetch { whole("tiny") }
    assert.equal(0, got.code, got.output)
    assert.equal("tiny", read(got.folder .. "/file"))
    check_refused("URL: the server does not send parts of a file, so that it cannot be resumed; "
      .. "fetch it with another program, `curl -L -o DIR/file 'URL'`, and go on from there",
      fetch { whole(content) })
  end)

  it("follows redirections, and only good ones", function ()
    local function redirect(to)
      return "answer\nstatus 302\nheader Location: " .. to .. "\nbody ''\n"
    end
    local got = fetch({ redirect "/fetch/other" },
      { script = "on GET /fetch/other\n" .. part(0, 9) .. part(10, 19) .. part(20, 24) })
    check_done(got)
    assert.same({ "bytes=0-9", "bytes=0-9", "bytes=10-19", "bytes=20-24" }, got.ranges)
    check_refused("URL: more than 5 redirections", fetch { redirect "/fetch/file" })
    check_refused("URL: a redirection that is not followed: file:///etc/passwd",
      fetch { redirect "file:///etc/passwd" })
  end)

  it("refuses bytes that it did not ask for", function ()
    check_refused("URL: the server sent other bytes than were asked for (from 0: `bytes 5-14/25`, "
      .. "10 bytes)", fetch { part(5, 14) })
    check_refused("URL: the server sent other bytes than were asked for (from 0: ``, 2 bytes)",
      fetch { "answer\nstatus 206\nbody 'xx'\n" })
    check_refused("URL: the server answers 404; name another address with --url",
      fetch { "answer\nstatus 404\nbody 'no'\n" })
  end)

  it("says that there is no network", function ()
    local folder = system.temporary(tmp)
    for url, why in pairs {
      ["http://no-such-host.invalid/x"] = "no connection: Could not resolve host: "
        .. "no-such-host.invalid",
      ["http://127.0.0.1:1/x"] = "no connection: Failed to connect to 127.0.0.1 port 1",
    } do
      local code, output = system.run { "ecrb", "bench", "fetch", "care", "--quiet", "--url", url,
        "--out", folder .. "/file" }
      assert.equal(2, code)
      local beginning = "ecrb: " .. url .. ": " .. why
      assert.equal(beginning, string.sub(output, 1, #beginning))
      assert.matches("%(3 attempts%); is there a network%? A copy that you have can be unpacked "
        .. "by hand\n$", output)
      assert.same({}, system.list(folder))
    end
  end)

  it("refuses words that make no sense", function ()
    local function message(...)
      local code, output = system.run { "ecrb", "bench", "fetch", ... }
      assert.equal(2, code)
      return output
    end
    assert.equal("ecrb: there is no archive `cares`; did you mean `care`?\n", message "cares")
    assert.equal("ecrb: --url: the address must begin with http:// or https://: ftp://x/y\n",
      message("care", "--url", "ftp://x/y"))
    assert.equal("ecrb: --sha256: `abc` is no SHA-256, which has 64 hexadecimal digits\n",
      message("care", "--sha256", "abc"))
    local there = tmp .. "/there"
    system.write(there, "x")
    assert.equal("ecrb: " .. there .. ": is there already; --unpack unpacks it\n",
      message("care", "-o", there))
    assert.matches("/there/x.lock: Not a directory\n$", message("care", "-o", there .. "/x"))
  end)
end)

describe("bench fetch --unpack", function ()
  -- A zip archive with CARE_datasets/a.txt, `one` and a line end.
  local archive = "PK\3\4\x14\0\0\0\0\0\0\0!X\x9f\xa8\x17\xf8\4\0\0\0\4\0\0\0\x13\0\0\0CARE_datase"
    .. "ts/a.txtone\nPK\1\2\x14\3\x14\0\0\0\0\0\0\0!X\x9f\xa8\x17\xf8\4\0\0\0\4\0\0\0\x13\0\0\0\0"
    .. "\0\0\0\0\0\0\0\x80\1\0\0\0\0CARE_datasets/a.txtPK\5\6\0\0\0\0\1\0\1\0A\0\0\0005\0\0\0\0\0"

  local function unpack(bytes)
    local folder = system.temporary(tmp)
    system.write(folder .. "/care.zip", bytes)
    local code, output = system.run { "ecrb", "bench", "fetch", "care", "-o",
      folder .. "/care.zip", "--unpack" }
    return code, string.gsub(output, string.gsub(folder, "%p", "%%%0"), "DIR"), folder
  end

  local programs = system.run { "sh", "-c", "command -v unzip || command -v bsdtar" }

  it("unpacks beside the file and says what comes next", function ()
    if programs ~= 0 then return pending "neither unzip nor bsdtar is installed" end
    local code, output, folder = unpack(archive)
    assert.equal(0, code, output)
    assert.equal("one\n", read(folder .. "/CARE_datasets/a.txt"))
    assert.same({ "CARE_datasets", "care.zip" }, system.list(folder))
    assert.equal("unpacked to DIR/CARE_datasets; next:\n  ecrb bench import care "
      .. "DIR/CARE_datasets --train DIR/CARE_datasets/splits/task1/protein_train.csv -o BENCH\n",
      output)
  end)

  it("leaves nothing of a broken archive", function ()
    if programs ~= 0 then return pending "neither unzip nor bsdtar is installed" end
    local code, output, folder = unpack(string.sub(archive, 1, 60))
    assert.equal(2, code)
    assert.matches("^ecrb: DIR/care.zip: %a+ cannot unpack it %(exit code %d+%): ", output)
    assert.same({ "care.zip" }, system.list(folder))
  end)

  it("names the packages where no program can", function ()
    local folder = system.temporary(tmp)
    system.write(folder .. "/care.zip", archive)
    local ecrb = string.match(select(2, system.run { "sh", "-c", "command -v ecrb" }), "%S+")
    local code, output = system.run { "env", "PATH=/nowhere", ecrb, "bench", "fetch", "care", "-o",
      folder .. "/care.zip", "--unpack" }
    assert.equal(2, code)
    assert.matches("^ecrb: neither unzip nor bsdtar is installed: Debian's packages unzip and "
      .. "libarchive%-tools have them", output)
  end)
end)
