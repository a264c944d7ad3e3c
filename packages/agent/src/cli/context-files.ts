import type { HomeFolders } from "../platform/home.ts";
import { collectContextFiles } from "../session/context-files.ts";
import type { Notices } from "./notices.ts";
import type { ContextFile } from "./system-prompt.ts";

/** The AGENTS.md files of a run, in the order in which the model reads them; what was cut or passed over is noticed. */
export function readContextFiles(cwd: string, home: HomeFolders, notices: Notices): ContextFile[] {
  const { files, problems } = collectContextFiles({ cwd, userFolder: home.root });
  for (const problem of problems) notices.warn(problem);
  return files.map(({ name, text, cut }) => ({
    path: name,
    text:
      cut === undefined ? text : `${text}\n[cut: the last ${cut.leftOut} of ${cut.size} bytes were left out]`,
  }));
}
