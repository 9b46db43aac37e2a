std = "lua54"
max_line_length = 80
color = false
codes = true
include_files = { "**/*.lua" }

-- What a method script finds (`ecrb help api`).
stds.method = {
  read_globals = {
    "answer", "ask", "candidates", "channels", "children", "choice",
    "descriptors", "ec", "evidence", "field", "find", "method", "motifs",
    "neighbour_vote", "note", "prompt", "sample", "vote",
  },
}

files["methods"].std = "lua54+method"
files["examples/*.lua"].std = "lua54+method"
files["tests/lua"].std = "lua54+busted"
files["tests/busted.lua"].globals = { "arg" }
