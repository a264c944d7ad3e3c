import type { TrustPorts } from "../../../commands/slash/trust.ts";
import { findProject } from "../../../config/project.ts";
import { grantTrust, projectTrust, revokeTrust } from "../../../config/trust.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** What of this project would act, looked at now. */
export function trustPort(program: Program): TrustPorts["trust"] {
  const { cwd, home } = program.parts.place;
  const look = async () => {
    const project = findProject(cwd, home.root);
    return { project, trust: await projectTrust(project, home.trust) };
  };
  return {
    async state() {
      const { project, trust } = await look();
      return {
        state: trust.state,
        root: homeRelative(project.root),
        items: (trust.acts?.items ?? []).map((path) => ({ path })),
        fingerprint: trust.acts?.sha256 ?? null,
        acting: program.settings?.trusted ?? false,
        ...(trust.problem === undefined ? {} : { problem: trust.problem }),
      };
    },
    async grant(fingerprint) {
      const { project, trust } = await look();
      if (trust.acts === null || trust.acts.sha256 !== fingerprint) return false;
      await grantTrust(project, home.trust, trust.acts, Date.now());
      return true;
    },
    async revoke() {
      return revokeTrust(findProject(cwd, home.root), home.trust);
    },
  };
}
