import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Before OpenCode loads any plugin, it installs its own types for plugins into the folder of its settings, and waits for that. Where no
 * registry can be reached, every start takes more than a minute. It takes this file, beside a folder `node_modules`, for an installation
 * that was done; plugins that need nothing, such as ours, work all the same.
 */
const STUB = {
  name: "no-plugin-types-because-no-registry-was-reached-by-remem-init",
  packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } },
};
const LOCK = "package-lock.json";
const MODULES = "node_modules";
/** What says that somebody has more in this folder than settings: code of theirs may need what would be installed. */
const CODE = ["package.json", "bun.lock", "bun.lockb", "plugin", "plugins", "tool", "tools"];
const REACH_MS = 1_500;
const REGISTRY = "https://registry.npmjs.org/";

export type StubState = "ours" | "none" | "installed";

/** Whether the folder has the stub, nothing of that kind, or a real installation. */
export function stubState(folder: string): StubState {
  try {
    const { name }: { name?: unknown } = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
    return name === STUB.name ? "ours" : "installed";
  } catch {
    return existsSync(join(folder, LOCK)) || existsSync(join(folder, MODULES)) ? "installed" : "none";
  }
}

/** Whether nothing in the folder can need what OpenCode would install there. */
export function isStubSafe(folder: string): boolean {
  return stubState(folder) === "none" && !CODE.some((name) => existsSync(join(folder, name)));
}

export function layStub(folder: string): void {
  mkdirSync(join(folder, MODULES), { recursive: true });
  writeFileSync(join(folder, LOCK), `${JSON.stringify(STUB, null, 2)}\n`, { flag: "wx" });
}

/** Takes the stub away, so that OpenCode installs what it wants. Nothing else is touched. */
export function removeStub(folder: string): void {
  if (stubState(folder) !== "ours") return;
  rmSync(join(folder, LOCK));
  const modules = join(folder, MODULES);
  if (existsSync(modules) && readdirSync(modules).length === 0) rmdirSync(modules);
}

/** Whether npm's registry answers a connection. Behind a proxy nobody knows, and it counts as reached. */
export async function reachesRegistry(environment: Environment): Promise<boolean> {
  const get = (name: string): string =>
    environment[name] || environment[name.toLowerCase()] || environment[name.toUpperCase()] || "";
  if (["HTTPS_PROXY", "HTTP_PROXY", "npm_config_proxy", "npm_config_https_proxy"].some((name) => get(name)))
    return true;
  const url = URL.parse(get("npm_config_registry") || REGISTRY);
  if (url === null) return true;
  const port = Number(url.port) || (url.protocol === "http:" ? 80 : 443);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port });
    const done = (reached: boolean) => () => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(REACH_MS, done(false));
    socket.once("connect", done(true));
    socket.once("error", done(false));
  });
}
