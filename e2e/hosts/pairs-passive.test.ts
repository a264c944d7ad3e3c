/** Memory's extension for Pi, loaded into our own agent: that has this memory inside, so the extension does nothing there. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { leave, openPi, send, talk } from "../interactive/support.ts";
import { fillMemory, stateEarlier } from "../support/memory.ts";
import { anyPi, pi } from "../support/pi.ts";
import { stateFolder } from "../support/state.ts";
import { EXTENSION } from "./pi-host.ts";

const MISSING = existsSync(EXTENSION) ? "" : " (needs the built extension: npm run build hosts)";
const LOADED = ["-e", EXTENSION];
const STATED = "Remember: we deploy with blue-lantern.sh, never by hand.";
const ASKED = "How do we deploy here?";

test.skipIf(MISSING !== "")(
  `with Pi's memory extension a request of our agent is the same to the byte: one recall, no tool more, and no word on stderr [B-PI-05][B-PI-06]${MISSING}`,
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    await stateEarlier(ws, [STATED]);
    server.otherwise(() => [say("With the script.")]);
    const ask = (...flags: string[]) =>
      pi(ws, [...flags, "--no-session", "-p", ASKED], { server, entrance: anyPi() });
    expect(await ask()).toMatchObject({ code: 0, stderr: "" });
    expect(await ask(...LOADED)).toMatchObject({ code: 0, stderr: "" });
    const [without, withIt] = server.requests;
    expect(without!.text).toContain("blue-lantern.sh");
    expect(withIt!.text).toBe(without!.text);
  },
);

test.skipIf(MISSING !== "")(
  `what is typed into our agent with Pi's memory extension is kept once, by our agent, and /extensions lists it with nothing of its own [B-PI-07]${MISSING}`,
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    server.otherwise(() => [say("I wrote it down.")]);
    await using program = await openPi(ws, server, { args: LOADED, cols: 160, rows: 40 });
    await talk(program, STATED, "I wrote it down.");
    send(program, "/extensions");
    // No tools and no commands stand between its file and its time.
    await program.waitFor(/\bpi +idle: \S+\/hosts\/pi\.js +\d+ ms/);
    expect(await leave(program)).toBe(0);
    const kept = await fillMemory(ws, async (memory, session) => {
      const { scopes } = await session.context();
      const store = await memory.store("read");
      const lists = await Promise.all(scopes.map((scope) => store?.memories.list({ scope }, 100) ?? []));
      return lists.flat().filter(({ provenance }) => provenance.typed);
    });
    expect(kept.map(({ kind, provenance }) => [kind, provenance.host]).toSorted()).toEqual([
      ["fact", "pi-ts"],
      ["prompt", "pi-ts"],
    ]);
    expect(existsSync(join(stateFolder(ws), "memory", "hosts"))).toBe(false);
  },
);
