import { expect, test } from "bun:test";
import { join } from "node:path";
import { leftovers, startProcess, workspace } from "@pi-ts/testkit";
import { until } from "./test-support/until.ts";

const unix = process.platform !== "win32";

test.if(unix)(
  "a killed agent takes all of its children along, also those in a session of their own [B03]",
  async () => {
    await using ws = await workspace({});
    const agent = startProcess(
      [
        process.execPath,
        join(import.meta.dir, "__fixtures__/doomed-agent.ts"),
        `crash-${process.pid}`,
        ws.path,
      ],
      { cwd: ws.path, env: ws.env() },
    );
    await agent.waitForOutput(/ready/);
    expect(leftovers(ws.marker).length).toBeGreaterThan(2);
    process.kill(agent.pid, "SIGKILL");
    await agent.exited;
    await until(() => leftovers(ws.marker).length === 0);
  },
);
