import type { JsonSchema } from "../../../contract/json.ts";

/** The input of the tools that look at one file's diff. */
export interface FileDiffInput {
  file: string;
  staged?: boolean;
}

export const FILE_DIFF_INPUT = {
  type: "object",
  properties: { file: { type: "string" }, staged: { type: "boolean" } },
  required: ["file"],
} as const satisfies JsonSchema;

export const FILE_DIFF_ALIASES = { file_path: "file", path: "file" } as const;
