import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Workspace } from "@pi-ts/testkit";
import type { ServerSetting } from "../server-definition.ts";

const PROGRAM = fileURLToPath(new URL("../__fixtures__/fake-server.mjs", import.meta.url));

/** A message as the server got it. */
export interface Received {
  id?: number;
  method?: string;
  params: Record<string, unknown>;
  result?: unknown;
}

/** A scripted server for `.fake` files; the program's head comment lists what a script can say. `name` tells several of them apart. */
export function fakeServer(
  ws: Workspace,
  script: Readonly<Record<string, unknown>> = {},
  setting: ServerSetting = {},
  name = "fake",
) {
  const file = `${ws.outside}/${name}.json`;
  const log = `${ws.outside}/${name}.log`;
  const starts = `${ws.outside}/${name}.starts`;
  ws.write(file, JSON.stringify({ log, starts, ...script }));
  return {
    servers: {
      fake: {
        command: process.execPath,
        args: [PROGRAM, file],
        extensions: [".fake"],
        rootMarkers: ["fake.root"],
        ...setting,
      } satisfies ServerSetting,
    },
    /** How often it was started. */
    starts: () => (existsSync(starts) ? readFileSync(starts).length : 0),
    received(method: string): Received[] {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
      return lines.map((line) => JSON.parse(line) as Received).filter((message) => message.method === method);
    },
    /** The answers it got to its own requests. */
    answers(): Received[] {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
      return lines
        .map((line) => JSON.parse(line) as Received)
        .filter((message) => message.method === undefined);
    },
  };
}
