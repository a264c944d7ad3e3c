import { dirname } from "node:path";
import { errorMessage, PiError } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { systemClock } from "../platform/clock.ts";
import { withLock } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import type { Project } from "./project.ts";
import { readJsonFile } from "./read-json-file.ts";
import { type TrustDigest, trustDigest } from "./trust-digest.ts";

/** Whether what a project brings may act: nothing is there to act, the user trusts it as it is, it changed since, or was never trusted. */
export interface ProjectTrust {
  state: "nothing" | "trusted" | "changed" | "unknown";
  /** What would act; null when nothing does, or when it could not be looked at. */
  acts: TrustDigest | null;
  /** Why the project or the store of trust could not be read (the project counts as not trusted then). */
  problem?: string;
}

/** Compares what acts in a project with what the user consented to. Reads only, never throws: what is too large to be looked at is not trusted. */
export async function projectTrust(project: Project, storeFile: string): Promise<ProjectTrust> {
  let acts: TrustDigest | null;
  try {
    acts = await trustDigest(project);
  } catch (error) {
    return { state: "unknown", acts: null, problem: errorMessage(error) };
  }
  if (acts === null) return { state: "nothing", acts };
  const store = await readStore(storeFile);
  if ("problem" in store) return { state: "unknown", acts, problem: store.problem };
  const granted = Object.hasOwn(store.projects, project.root) ? store.projects[project.root] : undefined;
  const sha256 = isJsonObject(granted) ? granted["sha256"] : undefined;
  return { state: sha256 === undefined ? "unknown" : sha256 === acts.sha256 ? "trusted" : "changed", acts };
}

/**
 * Remembers that the user trusts what acts in a project, exactly as it was shown (`acts`): any other byte needs consent again.
 * `now` in milliseconds since 1970. Throws a PiError when the store is broken (it is left as it is) or cannot be written.
 */
export async function grantTrust(
  project: Project,
  storeFile: string,
  acts: TrustDigest,
  now: number,
): Promise<void> {
  await changeStore(storeFile, (projects) => ({
    ...projects,
    [project.root]: { sha256: acts.sha256, granted: new Date(now).toISOString() },
  }));
}

/** Forgets a project. True if it was there. Throws as {@link grantTrust}. */
export async function revokeTrust(project: Project, storeFile: string): Promise<boolean> {
  let known = false;
  await changeStore(storeFile, (projects) => {
    known = Object.hasOwn(projects, project.root);
    return Object.fromEntries(
      Object.entries(projects).filter(([root]) => root !== project.root),
    ) as JsonObject;
  });
  return known;
}

async function readStore(file: string): Promise<{ projects: JsonObject } | { problem: string }> {
  const read = await readJsonFile(file);
  if (read.state === "missing") return { projects: {} };
  if (read.state === "broken") return { problem: `${file} is not used: ${read.problem}` };
  const projects = read.value["projects"] ?? {};
  return isJsonObject(projects) ? { projects } : { problem: `${file} is not used: "projects" is no object` };
}

async function changeStore(file: string, change: (projects: JsonObject) => JsonObject): Promise<void> {
  ensurePrivateFolder(dirname(file));
  await withLock(
    `${file}.lock`,
    async () => {
      const store = await readStore(file);
      if ("problem" in store)
        throw new PiError({
          code: "trust_broken",
          message: store.problem,
          hint: "Correct the file, or delete it to start without any trusted project. It was left as it is.",
        });
      const projects = change(store.projects);
      writeFileAtomic(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`, { mode: 0o600 });
    },
    { clock: systemClock },
  );
}
