/** What a model is told of `write`. */
export const writePrompt = {
  name: "write",
  description:
    "Create a file, or replace all of one that you have read. Parent folders are made. For changes use edit.",
  input: {
    type: "object",
    properties: { file_path: { type: "string" }, content: { type: "string" } },
    required: ["file_path", "content"],
  },
} as const;
