import { join } from "node:path";
import type { ConfigLayer } from "../config/config.ts";
import { loadKeys } from "../config/keys.ts";
import { loadConfig } from "../config/load.ts";
import { findProject, type Project } from "../config/project.ts";
import { grantTrust, type ProjectTrust, projectTrust, revokeTrust } from "../config/trust.ts";
import { errorMessage } from "../contract/errors.ts";
import type { TrustVerdict } from "../extension/pi/host/project-trust.ts";
import type { HomeFolders } from "../platform/home.ts";
import type { EarlyExtensions } from "./extensions/early-extensions.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";
import type { Settings, TrustDoors } from "./run-setup.ts";

/** Loads the configuration and the keys; what is not used, and why, goes into `notices`. Without `doors` nobody is asked about the project; what was trusted in this run (`before`) is so as long as no byte of it changes. */
export async function loadSettings(
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
  home: HomeFolders,
  notices: Notices,
  doors?: TrustDoors,
  before?: string,
): Promise<Settings> {
  const project = findProject(cwd, home.root);
  const load = async (trusted: boolean) =>
    await loadConfig({
      userFile: home.config,
      userHome: home.user,
      project,
      trusted,
      flags: flagLayer(flags),
    });
  let early: EarlyExtensions | undefined;
  const askExtensions = async () => {
    if (doors === undefined || flags.noExtensions) return null;
    const { EarlyExtensions } = await import("./extensions/early-extensions.ts");
    const { config } = await load(false);
    early = new EarlyExtensions({ flags, environment, cwd, home, notices, doors });
    return await early.trustVerdict({ config, project, trusted: false });
  };
  const asked = { project, home, notices, doors, before, askExtensions };
  const trustedAs = flags.trust ? null : await trustedDigest(asked);
  const trusted = flags.trust || trustedAs !== null;
  const loaded = await load(trusted);
  const keys = loadKeys({ environment, userFile: home.environmentFile, project, trusted });
  // Before anything fails for want of a key: why the file that should hold it was not read is what there is to know then.
  notices.add(...loaded.notices, ...keys.notices());
  return {
    config: loaded.config,
    keys,
    project,
    trusted,
    ...(trustedAs === null ? {} : { trustedAs }),
    ...(early === undefined ? {} : { early }),
  };
}

interface TrustQuestion {
  project: Project;
  home: HomeFolders;
  notices: Notices;
  doors: TrustDoors | undefined;
  before: string | undefined;
  askExtensions(): Promise<TrustVerdict | null>;
}

/** The digest of what acts in a project, when it is trusted; null when it is not. */
async function trustedDigest(question: TrustQuestion): Promise<string | null> {
  const { project, home, notices, doors, before, askExtensions } = question;
  const trust = await projectTrust(project, home.trust);
  if (trust.problem !== undefined) notices.warn(trust.problem);
  const { acts } = trust;
  if (trust.state === "nothing") return null;
  const place = project.folder ?? join(project.root, acts?.items[0] ?? "");
  if (acts !== null) {
    if (acts.sha256 === before) return before;
    const verdict = await askExtensions();
    const about = { project, home, notices, place, trust, acts };
    if (verdict !== null) return (await decided(verdict, about)) ? acts.sha256 : null;
    if (trust.state === "trusted") return acts.sha256;
    if (doors?.ask !== undefined && (await doors.ask(project, trust))) return acts.sha256;
  }
  const how = doors?.ask === undefined ? "to use it for this run: --trust" : "/trust changes that";
  notices.warn(
    `${place} ${trust.state === "changed" ? "has changed since you trusted it" : "is not trusted"}, so nothing in it acts; ${how}`,
  );
  return null;
}

/** An extension has decided. What it changes is told: it is an extension of the user's, and still not the user. */
async function decided(
  { trusted, remember, by }: TrustVerdict,
  about: {
    project: Project;
    home: HomeFolders;
    notices: Notices;
    place: string;
    trust: ProjectTrust;
    acts: NonNullable<ProjectTrust["acts"]>;
  },
): Promise<boolean> {
  const { project, home, notices, place, trust, acts } = about;
  let held = "for this run";
  if (remember)
    try {
      if (trusted) await grantTrust(project, home.trust, acts, Date.now());
      else await revokeTrust(project, home.trust);
      held = "from now on";
    } catch (thrown) {
      notices.warn(`what the extension "${by}" decides holds for this run only: ${errorMessage(thrown)}`);
    }
  if (!trusted) notices.warn(`the extension "${by}" does not trust ${place}, so nothing in it acts`);
  else if (trust.state !== "trusted")
    notices.add({ level: "info", message: `the extension "${by}" trusts ${place} ${held}` });
  return trusted;
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
