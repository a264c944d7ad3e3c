/** What a model is told of `edit`. */
export const editPrompt = {
  name: "edit",
  description:
    "Replace text in a file. old_string must match exactly and once (more lines make it unique) unless replace_all. " +
    "Give old_string and new_string, or several in edits: applied in order, all or none.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string" },
      old_string: { type: "string" },
      new_string: { type: "string" },
      replace_all: { type: "boolean" },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { old_string: { type: "string" }, new_string: { type: "string" } },
          required: ["old_string", "new_string"],
        },
      },
    },
    required: ["file_path"],
  },
} as const;
