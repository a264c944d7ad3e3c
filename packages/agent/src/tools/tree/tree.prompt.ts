/** What a model is told of `tree`. */
export const treePrompt = {
  name: "tree",
  description: "Show folders and files as a tree. Up to 500 entries.",
  input: {
    type: "object",
    properties: {
      path: { type: "string" },
      depth: { type: "integer", description: "default 3, at most 10" },
    },
  },
} as const;
