/** What a model is told of `mem-search`. */
export const memSearchPrompt = {
  name: "mem-search",
  description:
    "Search what was said, decided and done in earlier sessions: one line a memory, with id and token cost.",
  input: {
    type: "object",
    required: ["query"],
    properties: {
      query: { type: "string", description: "Words of what you look for" },
      limit: { type: "integer", minimum: 1, maximum: 50, description: "Default 10" },
      type: {
        type: "string",
        description: "Only this kind: decision, preference, fact, bugfix, prompt, answer, …",
      },
      provider: { type: "string", description: "Only this store" },
    },
  },
} as const;
