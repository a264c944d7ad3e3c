/** What a model is told of `read`. */
export const readPrompt = {
  name: "read",
  description: "Read a text file as numbered lines, or an image. Up to 2000 lines or 100 KB.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string" },
      offset: { type: "integer", description: "first line, from 1" },
      limit: { type: "integer", description: "lines" },
      column: { type: "integer", description: "first byte within a very long line" },
    },
    required: ["file_path"],
  },
} as const;
