import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess, startProcess, type Workspace } from "@pi-ts/testkit";

/** PostgreSQL refuses to run as root. */
const NOBODY = 65534;
const INSTALLED = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs, or why a test cannot have a server. */
export function postgresPrograms(): { readonly folder: string } | { readonly missing: string } {
  const folders = (process.env["PATH"] ?? "").split(":");
  if (existsSync(INSTALLED))
    folders.push(...readdirSync(INSTALLED).map((version) => join(INSTALLED, version, "bin")));
  const folder = folders.find((path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")));
  if (folder === undefined) return { missing: "PostgreSQL is not installed" };
  if (process.getuid?.() === 0 && Bun.which("setpriv") === null)
    return { missing: "it must not run as root, and setpriv is not installed" };
  return { folder };
}

export interface PostgresServer extends AsyncDisposable {
  /** Of its superuser, over a socket in its own folder. */
  readonly url: string;
}

/** A fresh server in a folder of its own, which nobody but this machine reaches. */
export async function startPostgres(space: Workspace, folder: string): Promise<PostgresServer> {
  const data = join(space.home, "data");
  const socket = join(space.home, "socket");
  const env = { ...space.env(), LC_ALL: "C" };
  const root = process.getuid?.() === 0;
  const run = root ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  for (const path of [data, socket]) {
    mkdirSync(path, { mode: 0o700 });
    if (root) chownSync(path, NOBODY, NOBODY);
  }
  if (root) for (const above of [dirname(space.home), space.home]) chmodSync(above, 0o755);
  const options = { env, cwd: "/" };
  const made = await runProcess(
    [...run, join(folder, "initdb"), "-D", data, "-U", "remem", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  if (made.code !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const server = startProcess(
    [...run, join(folder, "postgres"), "-D", data, "-k", socket, "-c", "listen_addresses=", "-c", "fsync=off"],
    options,
  );
  await server.waitForOutput(/ready to accept connections/);
  return {
    url: `postgres://remem@/postgres?host=${encodeURIComponent(socket)}`,
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGINT");
      await server.exited;
      await server[Symbol.asyncDispose]();
    },
  };
}
