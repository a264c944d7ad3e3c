import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { startProcess, workspace } from "@pi-ts/testkit";
import { isPiError } from "../../contract/errors.ts";
import { createFileDoor } from "./file-door.ts";

/**
 * Swaps the folder `d` for a link that leads outside and back, as fast as it can, until it is killed. In the moment when
 * there is no `d` a write may make one; that one is moved away.
 */
const SWAP = `
  import { renameSync } from "node:fs";
  let junk = 0;
  const move = (from, to) => {
    for (;;) {
      try { return renameSync(from, to); }
      catch { renameSync(to, "junk" + junk++); }
    }
  };
  console.log("ready");
  for (;;) {
    move("d", "folder");
    move("link", "d");
    move("d", "link");
    move("folder", "d");
  }`;

test.skipIf(process.platform !== "linux")(
  "a folder swapped for a link between check and use never lets a write or read outside [F16][A-SAND-01]",
  async () => {
    await using ws = await workspace({ "d/f.txt": "in" });
    ws.write(join(ws.outside, "f.txt"), "OUT");
    symlinkSync(ws.outside, ws.at("link"));
    const before = ws.snapshotOf("outside");
    const door = createFileDoor({ root: ws.path });
    const seen = new Map<string, number>();
    const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const attempt = (call: () => string) => {
      try {
        count(call());
      } catch (thrown) {
        count(isPiError(thrown) ? thrown.code : String(thrown));
      }
    };
    await using swapper = startProcess([process.execPath, "--no-env-file", "-e", SWAP], {
      cwd: ws.path,
      env: ws.env(),
    });
    await swapper.waitForOutput(/ready/);
    for (let round = 0; round < 1000; round++) {
      attempt(() => `written ${door.write("d/f.txt", new TextEncoder().encode("in")).path}`);
      attempt(() => `written ${door.write("d/new/n.txt", new Uint8Array(1)).path}`);
      attempt(() => new TextDecoder().decode(door.readAll("d/f.txt", 100)));
      attempt(() => (door.list("d").some((entry) => entry.size === 3) ? "OUT" : "listed"));
    }
    swapper.kill("SIGKILL");
    await swapper.exited;
    expect(ws.snapshotOf("outside")).toEqual(before);
    expect(seen.has("OUT")).toBe(false);
    // The race was really run: both sides of it were met.
    expect(seen.get("written d/f.txt") ?? 0).toBeGreaterThan(0);
    expect(seen.get("file_outside") ?? 0).toBeGreaterThan(0);
    const expected = /^(in|listed|written d\/f.txt|written d\/new\/n.txt|file_(outside|missing|not_folder))$/;
    expect([...seen].filter(([key]) => !expected.test(key))).toEqual([]);
  },
);
