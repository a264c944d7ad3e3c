import { join } from "node:path";
import type { Project } from "../../config/project.ts";
import { grantTrust, type ProjectTrust } from "../../config/trust.ts";
import { errorMessage } from "../../contract/errors.ts";
import type { Dialogs } from "../../contract/slash-command.ts";
import type { HomeFolders } from "../../platform/home.ts";
import type { Notices } from "../notices.ts";

/**
 * Asks the person whether a project whose `.pi-go` would act may do so. "Trust" holds for exactly what was shown; a change of any
 * byte asks again. Esc means no for this run, and is not remembered.
 */
export async function askForTrust(
  project: Project,
  trust: ProjectTrust,
  dialogs: Dialogs,
  home: HomeFolders,
  notices: Notices,
): Promise<boolean> {
  const { acts } = trust;
  if (acts === null) return false;
  const where = project.folder ?? project.root;
  const answer = await dialogs.choose({
    title:
      trust.state === "changed"
        ? `${where} has changed since you trusted it`
        : `Do you trust what this project brings in ${where}?`,
    detail: [
      "It can set options and start programs on this machine. These parts would act:",
      ...acts.items.map((item) => `  ${join(project.root, item)}`),
    ].join("\n"),
    choices: [
      { value: "no", label: "Not now", description: "nothing of it acts in this run" },
      { value: "once", label: "Only this time", description: "as with --trust" },
      { value: "always", label: "Trust it", description: "until one of these files changes" },
    ] as const,
  });
  if (answer === "always")
    try {
      await grantTrust(project, home.trust, acts, Date.now());
    } catch (thrown) {
      notices.warn(`the trust holds for this run only: ${errorMessage(thrown)}`);
    }
  return answer === "once" || answer === "always";
}
