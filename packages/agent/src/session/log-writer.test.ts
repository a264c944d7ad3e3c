import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { link, workspace } from "@pi-ts/testkit";
import { LogWriter } from "./log-writer.ts";

function writerOf(path: string, endsWithLine = true) {
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const nothing = () => undefined;
  const writer = new LogWriter({ path, prepare: nothing, again: nothing, endsWithLine, onNotice });
  return { writer, notices };
}

test("lines that a full disk refused are written, in order, when it has room again [B10]", async () => {
  await using ws = await workspace({ "log.jsonl": link("/dev/full") });
  if (process.platform !== "linux") return;
  const { writer, notices } = writerOf(ws.at("log.jsonl"));
  writer.append("1\n");
  writer.append("2\n");
  writer.sync();
  expect([writer.degraded, notices.length]).toEqual([true, 1]);
  expect(notices[0]).toContain("no space left on the disk");
  rmSync(ws.at("log.jsonl"));
  writer.append("3\n");
  expect([writer.degraded, notices.length]).toEqual([false, 2]);
  writer.close();
  expect(ws.read("log.jsonl")).toBe("1\n2\n3\n");
});

test("a line that was cut off gets its line break before the next one [C02]", async () => {
  await using ws = await workspace({ "log.jsonl": "1\nto" });
  const { writer } = writerOf(ws.at("log.jsonl"), false);
  writer.append("2\n");
  writer.append("3\n");
  writer.close();
  expect(ws.read("log.jsonl")).toBe("1\nto\n2\n3\n");
});

test("a half-written line is taken back, so that the log has no torn line [B10][C02]", async () => {
  const { runProcess } = await import("@pi-ts/testkit");
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  // A limit on file size stands in for a disk that fills up in the middle of a write.
  const code = `process.on("SIGXFSZ", () => {}); const { LogWriter } = await import(${JSON.stringify(import.meta.resolve("./log-writer.ts"))});
    const writer = new LogWriter({ path: "log.jsonl", prepare() {}, endsWithLine: true, onNotice: (m) => console.log(m) });
    writer.append("1\\n"); writer.append("x".repeat(20000) + "\\n"); console.log(writer.degraded); writer.close();`;
  const argv = ["bash", "-c", `ulimit -f 8; exec "$0" --no-env-file -e "$1"`, process.execPath, code];
  const result = await runProcess(argv, { cwd: ws.path, env: ws.env() });
  expect(result.stdout).toContain("true");
  expect(ws.read("log.jsonl")).toBe("1\n");
});

test.skipIf(process.platform === "win32")(
  "a log that somebody deletes while it is in use is written anew, at a turn's end and at the end [C02]",
  async () => {
    await using ws = await workspace({});
    const { writer, notices } = writerOf(ws.at("log.jsonl"));
    writer.append("1\n");
    rmSync(ws.at("log.jsonl"));
    writer.append("2\n");
    writer.sync();
    expect([writer.degraded, ws.read("log.jsonl")]).toEqual([false, "1\n2\n"]);
    expect(notices).toEqual(["the session's file was deleted while it was in use, and was written anew"]);
    rmSync(ws.at("log.jsonl"));
    writer.append("3\n");
    writer.close();
    expect([writer.degraded, ws.read("log.jsonl")]).toEqual([false, "1\n2\n3\n"]);
  },
);

test.skipIf(process.platform === "win32")(
  "a copy in the log's place gets what it lacks; another file is left alone, and that is never told as saved [C02]",
  async () => {
    await using ws = await workspace({});
    const { writer, notices } = writerOf(ws.at("log.jsonl"));
    const replace = (text: string) => {
      ws.write("other", text);
      renameSync(ws.at("other"), ws.at("log.jsonl"));
    };
    writer.append("1\n");
    replace("1\n");
    writer.append("2\n");
    writer.sync();
    expect([writer.degraded, ws.read("log.jsonl")]).toEqual([false, "1\n2\n"]);
    replace("else\n");
    writer.sync();
    writer.append("3\n");
    writer.close();
    expect([writer.degraded, ws.read("log.jsonl")]).toEqual([true, "else\n"]);
    expect(notices.slice(1)).toEqual([expect.stringContaining("another file was put in its place")]);
  },
);
