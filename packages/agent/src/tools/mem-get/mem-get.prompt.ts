/** What a model is told of `mem-get`. */
export const memGetPrompt = {
  name: "mem-get",
  description: "Memories in full, by their ids (at most 10).",
  input: {
    type: "object",
    required: ["ids"],
    properties: {
      ids: { type: "array", items: { type: "string" }, minItems: 1, description: "Ids from mem-search" },
    },
  },
} as const;
