/** Tokens in the system's keychain, through the system's own program. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { executable, oauthService, type Workspace, workspace } from "@pi-ts/testkit";
import { systemClock } from "../../platform/clock.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import { logOut } from "../log-out.ts";
import { openLogins } from "../logins.ts";
import { PROVIDER, startLogin } from "../test-support/login-bench.ts";
import { openKeychain } from "./keychain.ts";
import { LoginStore } from "./login-store.ts";

/** A `secret-tool` that keeps secrets in files, and writes down what it was called with. */
const TOOL = `#!/bin/sh
echo "$*" >> "$HOME/calls"
action="$1"; for last in "$@"; do :; done
case "$action" in
  store) cat > "$HOME/secret-$last";;
  lookup) [ -f "$HOME/secret-$last" ] && cat "$HOME/secret-$last" || exit 1;;
  clear) rm -f "$HOME/secret-$last";;
esac
`;

function registry(ws: Workspace, path: string) {
  const processes = createProcessRegistry({
    environment: ws.env({ PATH: path }),
    ownerId: "test",
    clock: systemClock,
  });
  return Object.assign(processes, { [Symbol.asyncDispose]: () => processes.endAll() });
}

test("a secret goes in and out over pipes, never in arguments; what is not there is none [X05]", async () => {
  await using ws = await workspace();
  ws.write(join(ws.outside, "secret-tool"), executable(TOOL));
  await using processes = registry(ws, `${ws.outside}:${process.env["PATH"]}`);
  const keychain = openKeychain(processes, "linux");
  expect(await keychain.read("acme")).toBeNull();
  await keychain.write("acme", '{"accessToken":"very secret"}');
  expect(await keychain.read("acme")).toBe('{"accessToken":"very secret"}');
  await keychain.remove("acme");
  expect(await keychain.read("acme")).toBeNull();
  const calls = ws.read(join(ws.home, "calls"));
  expect(calls).toContain("provider acme");
  for (const form of ["very secret", Buffer.from("very secret").toString("base64url").slice(0, 8)])
    expect(calls).not.toContain(form);
});

test("a login that is kept in the keychain leaves no token in a file, and is used, renewed and ended all the same [X05]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  ws.write(join(ws.outside, "secret-tool"), executable(TOOL));
  await using processes = registry(ws, `${ws.outside}:${process.env["PATH"]}`);
  const keychain = new LoginStore(join(ws.home, ".pi-go", "login"), async () =>
    openKeychain(processes, "linux"),
  );
  const { end, store, clock } = startLogin(ws, service, { keychain });
  const record = await end;
  const secrets = (await store.secrets(record))!;
  const way = openLogins(store, clock).find(PROVIDER)!.through(fetch);
  const lookups = () => ws.read(join(ws.home, "calls")).split("lookup").length - 1;
  const before = lookups();
  for (const _ of [1, 2, 3]) expect((await way(service.api)).status).toBe(200);
  expect(lookups() - before).toBe(1);
  service.revoke();
  expect((await way(service.api)).status).toBe(200);
  const renewed = (await store.secrets(store.read(PROVIDER)!))!;
  const text = ws.read(store.file(PROVIDER));
  for (const token of [secrets.accessToken, renewed.accessToken, renewed.refreshToken!])
    expect(text).not.toContain(token);
  const parts = { store, fetch, clock, signal: new AbortController().signal };
  expect(await logOut(store.read(PROVIDER)!, parts)).toEqual({ state: "revoked" });
  expect(service.revoked).toEqual([renewed.refreshToken!]);
  expect([store.list(), await store.secrets(record)]).toEqual([[], null]);
});

test("where the keychain cannot be had, that is known before anyone is sent out [A-AUTH-04]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  await using processes = registry(ws, ws.outside);
  const keychain = new LoginStore(join(ws.home, ".pi-go", "login"), async () =>
    openKeychain(processes, "linux"),
  );
  const { end, screen } = startLogin(ws, service, { keychain });
  await expect(end).rejects.toThrow("which is not installed");
  expect(screen.browsers).toEqual([]);
});

test("where the system has no program for it, that is said, and that a file does it [A-AUTH-04]", async () => {
  await using ws = await workspace();
  await using processes = registry(ws, ws.outside);
  await expect(openKeychain(processes, "linux").read("acme")).rejects.toMatchObject({
    message: "the keychain needs the program secret-tool, which is not installed",
    hint: expect.stringContaining("private file"),
  });
  expect(() => openKeychain(processes, "win32")).toThrow(
    "no program for the keychain of this system (win32)",
  );
});

test("a keychain that refuses is told in its own words, and is not taken for an empty one [A-AUTH-04]", async () => {
  await using ws = await workspace();
  ws.write(
    join(ws.outside, "secret-tool"),
    executable("#!/bin/sh\necho 'Cannot autolaunch D-Bus' >&2; exit 1\n"),
  );
  await using processes = registry(ws, `${ws.outside}:${process.env["PATH"]}`);
  await expect(openKeychain(processes, "linux").read("acme")).rejects.toThrow("Cannot autolaunch D-Bus");
});
