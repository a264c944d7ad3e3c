import { expect, test } from "bun:test";
import { ParentPipe } from "./parent-pipe.ts";

/** A pipe that a test writes to. */
function pipe() {
  const gone = Promise.withResolvers<void>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start(made) {
      controller = made;
    },
  });
  const end = new ParentPipe(stream, gone.resolve);
  const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
  return { end, write, close: () => controller.close(), gone: gone.promise };
}

const HANDOFF = JSON.stringify({ version: "1", agent: { id: "a" }, task: "x".repeat(100_000) });

test("the handoff is one line, in however many pieces it comes, and the end of the pipe is the end of the parent [A04]", async () => {
  const { end, write, close, gone } = pipe();
  write(HANDOFF.slice(0, 50_000));
  write(`${HANDOFF.slice(50_000)}\n`);
  expect((await end.handoff("1")).task).toHaveLength(100_000);
  close();
  await gone;
});

test.each([
  ["nothing at all", ""],
  ["no JSON", "hello\n"],
  ["half a handoff", HANDOFF],
])("%s is refused as a mistake of whoever started it", async (_, text) => {
  const { end, write, close } = pipe();
  write(text);
  close();
  await expect(end.handoff("1")).rejects.toMatchObject({ code: "usage", exitCode: 2 });
});

test("another version of the program is refused, with what to do", async () => {
  const { end, write } = pipe();
  write(`${HANDOFF}\n`);
  await expect(end.handoff("2")).rejects.toMatchObject({ code: "agent_version" });
});

test("a place that is waited for is there with the parent's message, or when the parent is gone [A03]", async () => {
  const { end, write, close } = pipe();
  write(`${HANDOFF}\n`);
  await end.handoff("1");
  const taken = end.taken();
  write('{"place":"taken"}\n');
  await taken;
  const again = end.taken();
  close();
  await again;
});
