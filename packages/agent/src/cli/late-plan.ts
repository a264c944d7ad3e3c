import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Callbacks } from "../contract/callbacks.ts";
import { isPiError } from "../contract/errors.ts";
import type { Approvals } from "../plan/spec/approvals.ts";
import type { Planning } from "../plan/spec/planning.ts";
import type { AppDoors, AppParts } from "./app-parts.ts";

/** The setting of a session that names the spec it plans. */
const SETTING = "plan_spec";
/** Bytes of a person's own SOP. */
const MOST_SOP = 64 * 1024;

/** What planning in a conversation is made from; the functions are not called before it is built. */
export interface LatePlanParts
  extends Pick<AppParts, "settings" | "home" | "session" | "notices" | "dialogs" | "subagent"> {
  doors(): Pick<AppDoors, "files">;
  mode(): { set(on: boolean): void };
  send(text: string): void;
}

/** Planning in a conversation. Nothing of it is loaded before the first spec. */
export interface LatePlan {
  readonly callbacks: Callbacks;
  /** The name of the spec that is planned; null: none. */
  readonly current: string | null;
  open(): Promise<Planning>;
}

export function latePlan(parts: LatePlanParts): LatePlan {
  const { session, subagent } = parts;
  const current = () => {
    const name = subagent === undefined ? session.settings[SETTING] : null;
    return typeof name === "string" && name !== "" ? name : null;
  };
  let opening: Promise<Planning> | undefined;
  const open = () => {
    opening ??= load(parts, { get: current, set: (name) => session.saveSettings({ [SETTING]: name ?? "" }) });
    return opening;
  };
  return {
    get current() {
      return current();
    },
    open,
    callbacks: {
      name: "planning",
      beforePrompt: async (...given) =>
        current() === null ? undefined : await (await open()).callbacks.beforePrompt?.(...given),
      beforeStop: async (...given) =>
        current() === null ? undefined : await (await open()).callbacks.beforeStop?.(...given),
    },
  };
}

async function load(
  parts: LatePlanParts,
  current: { get(): string | null; set(name: string | null): void },
): Promise<Planning> {
  const [{ Planning: Made }, { SpecFiles }, approvals] = await Promise.all([
    import("../plan/spec/planning.ts"),
    import("../plan/spec/spec-files.ts"),
    approvalsOf(parts),
  ]);
  const { session, notices, dialogs } = parts;
  return new Made({
    files: new SpecFiles(parts.doors().files),
    approvals,
    current,
    messages: () => session.messages(),
    mode: { set: (on) => parts.mode().set(on) },
    sop: () => ownSop(parts),
    send: (text) => parts.send(text),
    dialogs: dialogs ?? null,
    tell: (level, message) => notices.add({ level, message }),
  });
}

/** What was approved of this project's specs, in the state folder; a program that keeps no session keeps nothing of it. */
async function approvalsOf({ session, home, ...parts }: LatePlanParts): Promise<Approvals> {
  const { keptApprovals, passingApprovals } = await import("../plan/spec/approvals.ts");
  if (session.folder === null) return passingApprovals();
  const project = new Bun.CryptoHasher("sha256").update(parts.doors().files.root).digest("hex").slice(0, 32);
  return keptApprovals(join(home.root, "plans", project));
}

/** The person's own SOP: the project's, if it is trusted, else the global one; critical hidden characters are written out. */
async function ownSop({ settings, home, notices }: LatePlanParts): Promise<string | null> {
  const { folder } = settings.project;
  const own = join("sops", "pdd.md");
  const places = [
    ...(folder === null ? [] : [{ file: join(folder, own), trusted: settings.trusted }]),
    { file: join(home.root, own), trusted: true },
  ];
  for (const { file, trusted } of places) {
    if (!existsSync(file)) continue;
    if (!trusted) {
      notices.warn(`${file} is not used: this project is not trusted (/trust)`);
      continue;
    }
    const [{ readSmallFile }, { loadTextGuard }] = await Promise.all([
      import("../platform/read-small-file.ts"),
      import("./text-guard.ts"),
    ]);
    try {
      return (await loadTextGuard(notices))(file, readSmallFile(file, MOST_SOP));
    } catch (thrown) {
      notices.warn(`${file} is not used: ${isPiError(thrown) ? thrown.message : String(thrown)}`);
    }
  }
  return null;
}
