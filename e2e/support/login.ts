/** A service that people log in to, before a scripted model: what end-to-end tests of logins share. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executable, type ModelServer, type OAuthService, type Workspace } from "@pi-ts/testkit";
import { anyPi, type PiOptions, type PiResult, pi } from "./pi.ts";
import { stateFolder } from "./state.ts";

/** The provider that the user's configuration describes. */
export const ACME = "acme/claude-opus-5-5";

/** The user's configuration: a provider of their own whose service wants a login. */
export function describeAcme(
  ws: Workspace,
  service: OAuthService,
  server: ModelServer,
  oauth: object = {},
): void {
  service.upstream = server.baseUrl("anthropic");
  const config = {
    providers: { acme: { baseUrl: service.api, wire: "anthropic", models: [{ id: "claude-opus-5-5" }] } },
    oauth: { acme: { issuer: service.url, clientId: "pi-e2e", ...oauth } },
  };
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify(config));
}

/** A desktop whose browser says yes to whatever it is sent to, and comes back. */
export function withBrowser(ws: Workspace): Record<string, string> {
  const script = `#!/bin/sh\nexec "${process.execPath}" --no-env-file -e 'await fetch(process.argv.at(-1))' "$1"\n`;
  for (const name of ["xdg-open", "open"]) ws.write(join(ws.outside, "bin", name), executable(script));
  return { DISPLAY: ":0", PATH: `${join(ws.outside, "bin")}:${process.env["PATH"] ?? ""}` };
}

/** Runs `pi` in a workspace with nobody at a terminal. */
export function run(
  ws: Workspace,
  argv: readonly string[],
  more: Partial<PiOptions> = {},
): Promise<PiResult> {
  return pi(ws, argv, { entrance: anyPi(), ...(more.stdin === undefined ? { input: "null" } : {}), ...more });
}

/** What is kept of a login. */
export function credentials(
  ws: Workspace,
): { secrets?: { accessToken: string; refreshToken: string } } | null {
  const file = credentialsFile(ws);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

export function credentialsFile(ws: Workspace): string {
  return join(stateFolder(ws), "login", "acme", "credentials.json");
}
