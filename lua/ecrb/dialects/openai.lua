-- OpenAI's reasoning models (o-series, gpt-5 and later). They refuse the old
-- name of the output cap and every sampling value but the default.
return {
  base = "compatible",
  cap = "max_completion_tokens",
  refuses = {
    temperature = "reasoning models accept only their default",
    top_p = "reasoning models accept only their default",
    stop = "reasoning models have no stop texts",
  },
  thinking = {
    effort = { reasoning_effort = "$value" },
    efforts = { "none", "minimal", "low", "medium", "high", "xhigh" },
    off = { reasoning_effort = "none" },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested", word = true },
  choices = { shape = "schema", at = { "response_format" } },
}
