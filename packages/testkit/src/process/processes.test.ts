import { expect, test } from "bun:test";
import { slowStdin, stdoutClosedEarly } from "./closed-ends.ts";
import { runProcess } from "./run-process.ts";
import { startProcess } from "./started-process.ts";

test("a process gets its input and gives output, error output and code", async () => {
  const result = await runProcess(["sh", "-c", "cat; echo bad >&2; exit 3"], { stdin: "in €" });
  expect(result).toMatchObject({ code: 3, signal: null, stdout: "in €", stderr: "bad\n" });
});

test("a process that cannot start is an error with its name", async () => {
  await expect(runProcess(["/no/such/program"])).rejects.toThrow("/no/such/program");
});

test("a process that hangs is killed and what it printed is told", async () => {
  await expect(runProcess(["sh", "-c", "echo so far; sleep 300"], { timeoutMs: 1500 })).rejects.toThrow(
    "so far",
  );
});

test("disposal kills the whole group", async () => {
  let child = 0;
  {
    await using running = startProcess(["sh", "-c", "sleep 300 & echo $!; wait"]);
    child = Number((await running.waitForOutput(/\d+\n/))[0]);
    expect(child).toBeGreaterThan(0);
  }
  await waitUntilGone(child);
});

test("a process ends although a grandchild keeps its output open", async () => {
  await using running = startProcess(["sh", "-c", "sleep 300 & echo up; exit 5"]);
  expect((await running.exited).code).toBe(5);
});

test("output that never comes is told with what came", async () => {
  await using running = startProcess(["sh", "-c", "echo other"]);
  await expect(running.waitForOutput(/wanted/)).rejects.toThrow("other");
});

test("a signal ends the process", async () => {
  await using running = startProcess(["sleep", "300"]);
  running.kill("SIGTERM");
  expect((await running.exited).signal).toBe("SIGTERM");
});

test("a process whose reader leaves is told by SIGPIPE or EPIPE", async () => {
  const result = await stdoutClosedEarly(["sh", "-c", "yes"]);
  expect(result.signal === "SIGPIPE" || result.code !== 0).toBe(true);
});

test("slow input arrives whole", async () => {
  const result = await slowStdin(["cat"], ["one ", "two ", "three"]);
  expect(result.stdout).toBe("one two three");
});

test.if(process.platform !== "win32")("a closed stdin is no descriptor at all", async () => {
  const result = await runProcess(["sh", "-c", "cat; echo code $?"], { input: "closed" });
  expect(result.stdout).toContain("code 1");
  expect((await runProcess(["sh", "-c", "cat; echo code $?"], { input: "null" })).stdout).toBe("code 0\n");
});

async function waitUntilGone(pid: number): Promise<void> {
  for (;;)
    try {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 10));
    } catch {
      // nobody has this number any more
      return;
    }
}
