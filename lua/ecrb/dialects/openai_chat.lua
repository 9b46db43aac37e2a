-- OpenAI's models without reasoning (gpt-4o, gpt-4.1).
return {
  base = "openai",
  refuses = {},
  thinking = {},
}
