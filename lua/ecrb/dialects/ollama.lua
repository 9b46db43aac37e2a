-- Ollama. The context size is set at the server (OLLAMA_CONTEXT_LENGTH): a
-- `num_ctx` in the request is ignored, and a longer prompt is cut silently.
return {
  base = "compatible",
  thinking = {
    effort = { reasoning_effort = "$value" },
    efforts = { "low", "medium", "high" },
    off = { reasoning_effort = "none" },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
