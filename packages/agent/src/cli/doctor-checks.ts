import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DoctorCheck } from "../commands/doctor.ts";
import { errorMessage, isPiError } from "../contract/errors.ts";
import type { Confinement, ProcessDoor } from "../contract/process.ts";
import type { Notice } from "../contract/settings.ts";
import type { HomeFolders } from "../platform/home.ts";
import { publicAddress } from "../platform/public-address.ts";
import { findRipgrep } from "../platform/ripgrep.ts";
import type { ResolvedModel } from "../provider/registry/resolve.ts";
import { BUILD, VERSION } from "./version.ts";

/** What the checks look at. Nothing of the user's is changed; our own ripgrep may be unpacked into the cache. */
export interface DoctorView {
  home: HomeFolders;
  cwd: string;
  processes: ProcessDoor;
  confinement: Confinement;
  resolve(): Promise<ResolvedModel>;
  notices: readonly Notice[];
  /** The lines about logins. */
  logins(): Promise<DoctorCheck[]>;
  /** The lines about hooks. */
  hooks(): Promise<DoctorCheck[]>;
  /** The lines about skills and prompts. */
  skills(): Promise<DoctorCheck[]>;
  /** The lines about extensions. */
  extensions(): Promise<DoctorCheck[]>;
  /** The lines about MCP servers. */
  mcp(): Promise<DoctorCheck[]>;
  /** The lines about subagents. */
  subagents(): Promise<DoctorCheck[]>;
  /** The lines about the long-term memory. */
  memory(): Promise<DoctorCheck[]>;
  /** The lines about language servers. */
  lsp(): Promise<DoctorCheck[]>;
}

/** All checks of `pi doctor`, in the order in which they are shown. */
export async function doctorChecks(view: DoctorView): Promise<DoctorCheck[]> {
  const [model, git, ripgrep] = await Promise.all([
    checkModel(view),
    checkGit(view),
    findRipgrep(view.home.cache),
  ]);
  return [
    {
      name: "pi",
      state: "ok",
      found: `${VERSION} (build ${BUILD}) on Bun ${Bun.version}, ${process.platform}-${process.arch}`,
    },
    checkHome(view.home),
    ...checkNotices(view.notices),
    model,
    ...(await view.logins()),
    checkBash(),
    checkSandbox(view.confinement),
    git,
    ripgrep === null
      ? { name: "ripgrep", state: "limited", found: "none; searches use the slower built-in engine" }
      : { name: "ripgrep", state: "ok", found: ripgrep },
    ...(await view.hooks()),
    ...(await view.skills()),
    ...(await view.extensions()),
    ...(await view.lsp()),
    ...(await view.mcp()),
    ...(await view.subagents()),
    ...(await view.memory()),
  ];
}

function checkHome(home: HomeFolders): DoctorCheck {
  const name = "state folder";
  let folder = home.root;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return {
      name,
      state: "limited",
      found: `${home.root} cannot be written`,
      hint: "sessions are then kept in memory only; make it writable, or set PI_HOME to another folder",
    };
  }
  const open =
    existsSync(home.root) && process.platform !== "win32" && (statSync(home.root).mode & 0o077) !== 0;
  if (open)
    return {
      name,
      state: "limited",
      found: `${home.root} can be read by other users`,
      hint: `chmod 700 ${home.root}`,
    };
  return {
    name,
    state: "ok",
    found: existsSync(home.root) ? home.root : `${home.root} (made at the first session)`,
  };
}

function checkNotices(notices: readonly Notice[]): DoctorCheck[] {
  const warnings = notices.filter((notice) => notice.level === "warning");
  if (warnings.length === 0) return [{ name: "configuration", state: "ok", found: "no problems" }];
  return warnings.map(({ message }) => ({ name: "configuration", state: "limited", found: message }));
}

async function checkModel(view: DoctorView): Promise<DoctorCheck> {
  try {
    const { model, key, login, settings } = await view.resolve();
    const from =
      key !== null
        ? `${key.variable} from ${key.source}`
        : login === null
          ? "no key needed"
          : "you are logged in there";
    return {
      name: "model",
      state: "ok",
      found: `${model.provider}/${model.id} at ${publicAddress(settings.baseUrl)} (${from}); pi ping asks it`,
    };
  } catch (error) {
    return {
      name: "model",
      state: "missing",
      found: errorMessage(error),
      ...(isPiError(error) && error.hint !== undefined ? { hint: error.hint } : {}),
    };
  }
}

async function checkGit({ processes, cwd }: DoctorView): Promise<DoctorCheck> {
  const name = "git";
  try {
    const result = await processes.run(
      { argv: ["git", "--version"], cwd, label: "git --version" },
      { timeoutMs: 5_000 },
    );
    const version = new TextDecoder().decode(result.stdout).trim();
    if (result.code === 0) return { name, state: "ok", found: version };
    return { name, state: "limited", found: `git does not run (exit code ${result.code})` };
  } catch {
    return {
      name,
      state: "limited",
      found: "not installed",
      hint: "the git tools need it; everything else works",
    };
  }
}

function checkBash(): DoctorCheck {
  const bash = Bun.which("bash");
  if (bash !== null) return { name: "bash", state: "ok", found: bash };
  return {
    name: "bash",
    state: "limited",
    found: "not installed",
    hint: "the bash tool needs it: no command or test can be run",
  };
}

function checkSandbox(confinement: Confinement): DoctorCheck {
  const name = "sandbox";
  if (confinement.active) return { name, state: "ok", found: `bash is confined: ${confinement.tier}` };
  if (confinement.tier === "off") return { name, state: "limited", found: "off by configuration" };
  return {
    name,
    state: "limited",
    found: `bash is not confined: ${confinement.reason ?? "this system offers no sandbox"}`,
    ...(process.platform === "linux"
      ? { hint: "install bubblewrap (Debian, Ubuntu: apt install bubblewrap)" }
      : {}),
  };
}
