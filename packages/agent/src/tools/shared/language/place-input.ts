/** What a question about a place takes; 1-based, as `read` and `grep` count. */
export const placeInput = {
  type: "object",
  properties: {
    file: { type: "string" },
    line: { type: "integer", minimum: 1 },
    column: { type: "integer", minimum: 1 },
  },
  required: ["file", "line", "column"],
} as const;

export const fileInput = {
  type: "object",
  properties: { file: { type: "string" } },
  required: ["file"],
} as const;

/** Names that models give to the file. */
export const FILE_ALIASES = {
  file_path: "file",
  path: "file",
  filename: "file",
  filepath: "file",
  filePath: "file",
  character: "column",
  col: "column",
} as const;
