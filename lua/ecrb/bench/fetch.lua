-- `ecrb bench fetch care`: a public archive over the wire, into a file here.

local address = require "ecrb.wire.address"
local archives = require "ecrb.bench.archives"
local download = require "ecrb.download"
local fail = require "ecrb.fail"
local made = require "ecrb.made"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local out = require "ecrb.out"
local system = require "core.system"

local action = { summary = "download CARE's public archive, with resume" }

function action.configure(p)
  p:argument("NAME", "archive: care"):target("archive"):argname("NAME")
  p:option("--url", "address (default: the one that CARE's repository names)"):argname("URL")
  p:option("--sha256", "SHA-256 that the file must have (default: none is asked for)")
    :argname("HEX")
  p:option("-o --out", "file to make (default: the archive's own name, here)"):argname("FILE")
  p:option("--part", "bytes that are asked for at once"):argname("N"):convert(numbers.whole(1))
    :default("8388608")
  p:option("--proxy", "proxy (default: the variable https_proxy)"):argname("URL")
  p:flag("--unpack", "unpack the file, beside it")
  p:flag("--quiet", "no progress line")
end

local more = [[

What came so far stands in FILE.part; after a cut, a kill or Ctrl-C the same command
goes on from there. A file with another SHA-256 than --sha256 is refused and removed.
ecrb brings no checksum of CARE's archive, and its address is unverified: both are for
you to compare. The SHA-256 of what came is printed; a record on Zenodo shows an MD5
(`md5sum FILE`).
]]

function action.more_help()
  return more
end

local function archive_of(name)
  return archives[name]
    or fail("there is no archive `%s`%s", name, near.hint(name, archives))
end

local function check_digest(digest)
  if digest and not (#digest == 64 and string.find(digest, "^%x+$")) then
    fail("--sha256: `%s` is no SHA-256, which has 64 hexadecimal digits", digest)
  end
end

local function check_url(url)
  local fault = address.fault(url)
  if fault then fail("--url: %s", string.gsub(fault, "base URL", "address")) end
end

-- {==================================================================
-- Unpacking
-- ===================================================================

-- Programs that can, their arguments, and the Debian package of each.
local unpackers = {
  { "unzip", "unzip", function (file, folder) return { "unzip", "-q", file, "-d", folder } end },
  { "bsdtar", "libarchive-tools",
    function (file, folder) return { "bsdtar", "-x", "-f", file, "-C", folder } end },
}

-- Runs the first program that there is.
local function run_unpacker(file, folder)
  for _, one in ipairs(unpackers) do
    local good, code, said = pcall(system.run, one[3](file, folder))
    if good and code ~= 0 then
      fail("%s: %s cannot unpack it (exit code %d): %s", file, one[1], code,
        string.sub(said, -300))
    end
    if good then return end
  end
  fail("neither unzip nor bsdtar is installed: Debian's packages unzip and libarchive-tools "
    .. "have them (apt-get install unzip); %s is whole", file)
end

-- Unpacks the archive's folder, or what it holds, to where that folder belongs.
local function unpack(file, archive)
  local base = string.match(file, "^(.*/)") or ""
  local folder = base .. archive.folder
  if system.exists(folder) then fail("%s: is there already; %s is whole", folder, file) end
  made(folder, function (beside)
    run_unpacker(file, beside)
    local inner = beside .. "/" .. archive.folder
    return system.exists(inner) and inner or nil
  end)
  return folder
end
-- }==================================================================

local function say_next(archive, file, folder)
  if folder then
    out.write("unpacked to ", folder, "; next:\n  ",
      string.format(archive.next, folder, folder), "\n")
  else
    out.write("unpack it with `unzip ", file, "`, or the same command with --unpack\n")
  end
end

local function fetch(args, archive, file)
  local how, digest, size = download.get { url = args.url or archive.url, out = file,
    sha256 = args.sha256, bytes = args.part, quiet = args.quiet,
    proxy = args.proxy or system.getenv("https_proxy") }
  if how ~= "done" then
    io.stderr:write("interrupted; the same command goes on from here\n")
    return 130
  end
  out.write(string.format("%s: %d bytes, SHA-256 %s%s\n", file, size, digest,
    args.sha256 and " as it must be" or " (nothing to compare it with: give --sha256)"))
end

function action.run(args)
  local archive = archive_of(args.archive)
  local file = args.out or archive.file
  check_url(args.url or archive.url)
  check_digest(args.sha256)
  if not system.exists(file) then
    local code = fetch(args, archive, file)
    if code then return code end
  elseif not args.unpack then
    fail("%s: is there already; --unpack unpacks it", file)
  end
  say_next(archive, file, args.unpack and unpack(file, archive))
  return 0
end

return action
