import { join } from "node:path";
import type { Config, ConfigLayer } from "../config/config.ts";
import { loadKeys } from "../config/keys.ts";
import { loadConfig } from "../config/load.ts";
import { findProject, type Project } from "../config/project.ts";
import { type ProjectTrust, projectTrust } from "../config/trust.ts";
import type { HomeFolders } from "../platform/home.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";

/** Everything the user and a trusted project have set. */
export interface Settings {
  config: Config;
  keys: ReturnType<typeof loadKeys>;
  project: Project;
  trusted: boolean;
}

/** Asks a person whether a project that is not trusted may act. */
export type AskForTrust = (project: Project, trust: ProjectTrust) => Promise<boolean>;

/** Loads the configuration and the keys; what is not used, and why, goes into `notices`. Without `ask` an untrusted project does not act. */
export async function loadSettings(
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
  home: HomeFolders,
  notices: Notices,
  ask?: AskForTrust,
): Promise<Settings> {
  const project = findProject(cwd, home.root);
  const trusted = flags.trust || (await isTrusted(project, home, notices, ask));
  const loaded = await loadConfig({
    userFile: home.config,
    userHome: home.user,
    project,
    trusted,
    flags: flagLayer(flags),
  });
  notices.add(...loaded.notices);
  const keys = loadKeys({ environment, userFile: home.environmentFile, project, trusted });
  return { config: loaded.config, keys, project, trusted };
}

async function isTrusted(
  project: Project,
  home: HomeFolders,
  notices: Notices,
  ask: AskForTrust | undefined,
): Promise<boolean> {
  const trust = await projectTrust(project, home.trust);
  if (trust.problem !== undefined) notices.warn(trust.problem);
  if (trust.acts !== null && trust.state !== "trusted" && ask !== undefined && (await ask(project, trust)))
    return true;
  if (trust.state === "unknown" || trust.state === "changed")
    notices.warn(
      `${project.folder ?? join(project.root, trust.acts?.items[0] ?? "")} ${trust.state === "changed" ? "has changed since you trusted it" : "is not trusted"}, so nothing in it acts; ${ask === undefined ? "to use it for this run: --trust" : "/trust changes that"}`,
    );
  return trust.state === "trusted";
}

function flagLayer(flags: Flags): ConfigLayer {
  return {
    ...(flags.caCert === null ? {} : { caCert: flags.caCert }),
    ...(flags.insecure ? { insecure: true } : {}),
    ...(flags.lsp === null ? {} : { lsp: { mode: flags.lsp } }),
    ...(flags.memoryOff ? { memory: { enabled: false } } : {}),
    ...(flags.sandbox === null ? {} : { sandbox: { tier: flags.sandbox } }),
  } as ConfigLayer;
}
