-- Azure OpenAI: OpenAI's reasoning models behind a deployment's own URL, whose
-- query (`?api-version=...`) is kept, and a header of its own for the key.
return {
  base = "openai",
  auth = { header = "api-key", prefix = "" },
}
