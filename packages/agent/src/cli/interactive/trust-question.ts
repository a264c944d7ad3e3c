import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../config/project.ts";
import { grantTrust, type ProjectTrust } from "../../config/trust.ts";
import type { CommandBlock } from "../../contract/command.ts";
import type { TrustAnswer, TrustRequest } from "../../contract/consent.ts";
import { errorMessage } from "../../contract/errors.ts";
import type { HomeFolders } from "../../platform/home.ts";
import type { Notices } from "../notices.ts";

/** Of one file that would act; more of it is for an editor. Bytes. */
const MOST_SHOWN = 64 * 1024;

/**
 * Asks the person whether a project whose `.pi-go` would act may do so. "Trust" holds for exactly what was shown; a change of any
 * byte asks again. Esc means no for this run, and is not remembered.
 */
export async function askForTrust(
  project: Project,
  trust: ProjectTrust,
  ask: (request: TrustRequest) => Promise<TrustAnswer>,
  home: HomeFolders,
  notices: Notices,
): Promise<boolean> {
  const { acts } = trust;
  if (acts === null) return false;
  const files = acts.items.map((item) => join(project.root, item));
  const answer = await ask({
    folder: project.folder ?? project.root,
    changed: trust.state === "changed",
    items: files,
    content: () => Promise.resolve(files.flatMap(shown)),
  });
  if (answer === "always")
    try {
      await grantTrust(project, home.trust, acts, Date.now());
    } catch (thrown) {
      notices.warn(`the trust holds for this run only: ${errorMessage(thrown)}`);
    }
  return answer !== "no";
}

/** A file with its path above it; folders and what cannot be read are named only. */
function shown(path: string): CommandBlock[] {
  try {
    if (!statSync(path).isFile()) return [{ kind: "text", text: path }];
    const bytes = readFileSync(path);
    const text = new TextDecoder().decode(bytes.subarray(0, MOST_SHOWN));
    const cut = bytes.length > MOST_SHOWN ? `\n[${bytes.length - MOST_SHOWN} more bytes]` : "";
    return [{ kind: "text", text: `${path}\n\n${text.trimEnd()}${cut}` }];
  } catch (thrown) {
    return [{ kind: "text", text: `${path}: ${errorMessage(thrown)}` }];
  }
}
