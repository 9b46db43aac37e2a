-- Qwen at DashScope. Several models answer thinking only as a stream, some
-- only stream at all: so everything is streamed.
return {
  base = "compatible",
  stream = "required",
  thinking = {
    on = { enable_thinking = true },
    off = { enable_thinking = false },
    budget = { enable_thinking = true, thinking_budget = "$value" },
  },
  json = { object = { response_format = { type = "json_object" } },
           word = true },
}
