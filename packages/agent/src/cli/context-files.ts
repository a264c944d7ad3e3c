import type { HomeFolders } from "../platform/home.ts";
import { collectContextFiles } from "../session/context-files.ts";
import type { Notices } from "./notices.ts";
import type { ContextFile } from "./system-prompt.ts";
import { loadTextGuard, mayHide } from "./text-guard.ts";

/**
 * The AGENTS.md files of a run, in the order in which the model reads them; what was cut or passed over is noticed. Critical hidden
 * characters are written out (`\u{202e}`): the rules of a project stay in force, and nothing in them is out of sight.
 */
export async function readContextFiles(
  cwd: string,
  home: HomeFolders,
  notices: Notices,
): Promise<ContextFile[]> {
  const { files, problems } = collectContextFiles({ cwd, userFolder: home.root });
  for (const problem of problems) notices.warn(problem);
  const guard = files.some(({ text }) => mayHide(text)) ? await loadTextGuard(notices) : null;
  return files.map(({ name, text, cut }) => {
    const guarded = guard === null ? text : guard(name, text);
    return {
      path: name,
      text:
        cut === undefined
          ? guarded
          : `${guarded}\n[cut: the last ${cut.leftOut} of ${cut.size} bytes were left out]`,
    };
  });
}
