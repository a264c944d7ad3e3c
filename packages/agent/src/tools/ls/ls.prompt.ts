/** What a model is told of `ls`. */
export const lsPrompt = {
  name: "ls",
  description: "List a folder: names, sizes, links, hidden ones too. Up to 500 entries.",
  input: { type: "object", properties: { path: { type: "string", description: "default: the project" } } },
} as const;
