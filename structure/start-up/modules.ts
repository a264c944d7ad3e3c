import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { userConfig, userServers } from "../../e2e/support/mcp.ts";
import { pi, ROOT } from "../../e2e/support/pi.ts";

const MAIN = join(ROOT, "packages/agent/src/cli/main.ts");

/** What may be loaded before a request: the start is short because it is little. Raise it only for what every first request needs. */
export const MOST = { modules: 400, kilobytes: 1_250 };

/**
 * Bytes of source by module (paths below the repository): all that `pi -p` from source loads before its first request leaves. With
 * `servers`, the user's `mcp.json`, it is the second start with them that counts.
 */
export async function modulesBeforeFirstRequest(servers?: object): Promise<ReadonlyMap<string, number>> {
  await using server = await modelServer();
  await using space = await workspace({ "a.txt": "one\n" });
  if (servers !== undefined) {
    userServers(space, servers);
    userConfig(space, { mcp: { startupWait: 60 } });
    server.reply(say("done"));
    await pi(space, ["-p", "hi"], { server, entrance: [process.execPath, "--no-env-file", MAIN] });
  }
  server.reply(say("done"));
  const report = join(space.temp, "start-up.json");
  const result = await pi(space, ["-p", "hi"], {
    server,
    entrance: [process.execPath, "--no-env-file", "--preload", join(import.meta.dir, "spy.ts"), MAIN],
    env: { START_UP_REPORT: report },
  });
  if (result.code !== 0) throw new Error(`pi ended with exit code ${result.code}: ${result.stderr}`);
  const loaded = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>;
  return new Map(Object.entries(loaded).map(([path, bytes]) => [relative(ROOT, path), bytes]));
}

/** The sum over all modules. */
export function sizeOf(modules: ReadonlyMap<string, number>): { modules: number; kilobytes: number } {
  const bytes = [...modules.values()].reduce((sum, each) => sum + each, 0);
  return { modules: modules.size, kilobytes: Math.round(bytes / 1_000) };
}
