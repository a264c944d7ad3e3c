import { expect, test } from "bun:test";
import { startProcess, workspace } from "@pi-ts/testkit";
import { systemClock } from "../platform/clock.ts";
import { MOST_PLACES, Places } from "./places.ts";
import { Starts } from "./starts.ts";

const never = new AbortController().signal;

test("there are five places, given in the order of asking; a waiting one can be given up [A-SUB-02]", async () => {
  await using ws = await workspace();
  const places = new Places(ws.path, systemClock);
  const held = await Promise.all(Array.from({ length: MOST_PLACES }, () => places.take(never)));
  const order: string[] = [];
  const stop = new AbortController();
  const sixth = places.take(never).then((place) => {
    order.push("sixth");
    return place;
  });
  const seventh = places.take(stop.signal).then((place) => {
    order.push("seventh");
    return place;
  });
  stop.abort();
  held[2]?.give();
  expect(await sixth).not.toBeNull();
  expect(await seventh).toBeNull();
  expect(order).toEqual(["sixth", "seventh"]);
});

test("kill -9 of a process frees its places [A03][A04]", async () => {
  await using ws = await workspace();
  const script = `import { Places } from ${JSON.stringify(`${import.meta.dir}/places.ts`)};
    import { systemClock } from ${JSON.stringify(`${import.meta.dir}/../platform/clock.ts`)};
    const places = new Places(${JSON.stringify(ws.path)}, systemClock);
    for (let n = 0; n < 5; n++) await places.take(new AbortController().signal);
    console.log("holds all");
    await new Promise(() => setInterval(() => undefined, 1000));`;
  ws.write("hold.ts", script);
  await using holder = startProcess([process.execPath, "--no-env-file", ws.at("hold.ts")], {
    cwd: ws.path,
    env: ws.env(),
  });
  await holder.waitForOutput(/holds all/);
  const mine = new Places(ws.path, systemClock).take(never);
  process.kill(holder.pid, "SIGKILL");
  expect(await mine).not.toBeNull();
});

test("starts are counted over all processes of a session and never given back [A03]", async () => {
  await using ws = await workspace();
  const [one, other] = [new Starts(ws.path, 3), new Starts(ws.path, 3)];
  one.take();
  other.take();
  one.take();
  expect(() => other.take()).toThrow("all 3 starts are used (subagent.maxPerSession)");
});
