import type { PiSourceInfo } from "../pi-types.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

export const BUILT_IN: PiSourceInfo = {
  path: "<builtin>",
  source: "builtin",
  scope: "temporary",
  origin: "top-level",
};

/** Where something that an extension registered comes from. */
export function sourceOf({ entry }: LoadedExtension): PiSourceInfo {
  const { file, source, scope, origin, base } = entry;
  return { path: file, source, scope, origin, ...(base === file ? {} : { baseDir: base }) };
}
