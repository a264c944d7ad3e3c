import { expect, test } from "bun:test";
import { linesOf } from "./lines.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A body of these chunks. */
function bodyOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const read = async (body: ReadableStream<Uint8Array>) => Array.fromAsync(linesOf(body));
const oneByteEach = (text: string) => bodyOf(...Array.from(bytesOf(text), (byte) => Uint8Array.of(byte)));

test("lines come whole when each byte is a chunk of its own, in every script [P13]", async () => {
  expect(await read(oneByteEach("日本語 🎉 é\r\nzwei\n\ndrei\rvier"))).toEqual([
    "日本語 🎉 é",
    "zwei",
    "",
    "drei",
    "vier",
  ]);
});

test("a carriage return and its line feed in two chunks end one line", async () => {
  expect(await read(bodyOf(bytesOf("a\r"), bytesOf("\nb\r"), bytesOf("c\n")))).toEqual(["a", "b", "c"]);
});

test("U+2028 and U+2029 end no line", async () => {
  expect(await read(bodyOf(bytesOf('{"a":"x\u2028y\u2029z"}\n')))).toEqual(['{"a":"x\u2028y\u2029z"}']);
});

test("leaving the loop cancels the body, so that its socket closes", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytesOf("line\n"));
    },
    cancel() {
      cancelled = true;
    },
  });
  for await (const line of linesOf(body)) {
    expect(line).toBe("line");
    break;
  }
  expect(cancelled).toBe(true);
});
