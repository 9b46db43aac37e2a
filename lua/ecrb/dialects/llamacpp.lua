-- llama.cpp's server. Its JSON schema is not nested as OpenAI's is, and a
-- choice is a grammar.
return {
  base = "vllm",
  json = { object = { response_format = { type = "json_object" } },
           schema = "flat" },
  choices = { shape = "grammar", at = { "grammar" } },
}
