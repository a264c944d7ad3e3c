import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { socketPieces } from "./socket-pieces.ts";

/** A shell whose descriptors 3 and 4 are read here. */
function shell(script: string) {
  const child = Bun.spawn(["/bin/sh", "-c", script], {
    stdio: ["ignore", "ignore", "ignore", "socket-fd", "socket-fd"],
  });
  const [, , , third, fourth] = child.stdio;
  return { child, third: socketPieces(third!), fourth: socketPieces(fourth!) };
}

async function rest(read: () => Promise<Uint8Array | undefined>): Promise<number> {
  let bytes = 0;
  for (let piece = await read(); piece !== undefined; piece = await read()) bytes += piece.length;
  return bytes;
}

const onPosix = test.skipIf(process.platform === "win32");

onPosix("each output comes whole, to its end, however it is asked for", async () => {
  const { child, third, fourth } = shell("head -c 3000000 /dev/zero >&3; printf abc >&4");
  expect(await Promise.all([rest(third), rest(fourth)])).toEqual([3_000_000, 3]);
  expect(await third()).toBeUndefined();
  expect(await child.exited).toBe(0);
});

onPosix("while nobody reads, a writer stands still at a full pipe", async () => {
  const { child, third, fourth } = shell("head -c 8000000 /dev/zero >&3; printf written >&4");
  let read = 0;
  const written = fourth().then(() => read);
  for (let piece = await third(); piece !== undefined; piece = await third()) read += piece.length;
  expect(await written).toBeGreaterThan(7_000_000);
  await rest(fourth);
  await child.exited;
});

onPosix("a killed writer is the end of its output", async () => {
  const { child, third, fourth } = shell("printf a >&3; exec sleep 1000");
  expect(await third()).toHaveLength(1);
  child.kill("SIGKILL");
  expect(await Promise.all([rest(third), rest(fourth)])).toEqual([0, 0]);
  await child.exited;
});

test.skipIf(process.platform !== "linux")("no descriptor is left when the outputs have ended", async () => {
  const sockets = () =>
    readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith("socket:");
      } catch {
        return false;
      }
    }).length;
  const before = sockets();
  for (let round = 0; round < 5; round++) {
    const { child, third, fourth } = shell("echo x >&3");
    await Promise.all([rest(third), rest(fourth), child.exited]);
  }
  expect(sockets()).toBe(before);
});
