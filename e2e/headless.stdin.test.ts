/** Where a prompt comes from: arguments, a file, a pipe, or nothing at all. */
import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { modelServer, runProcess, say, slowStdin, workspace } from "@pi-ts/testkit";
import { commandFor, type PiOptions, pi, startPi } from "./support/pi.ts";

/** One run that answers "ok"; gives what the model was asked. */
async function asked(argv: string[], options: PiOptions) {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("ok"));
  const result = await pi(ws, argv, { server, ...options });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  return { prompt: server.request(1).userTexts.at(-1), stderr: result.stderr };
}

test("words after the flags are the prompt, and after -- also dashes and names of sub-commands", async () => {
  expect(await asked(["-p", "list", "the files"], {})).toEqual({ prompt: "list the files", stderr: "" });
  expect((await asked(["-p", "--", "--what", "is", "-x"], {})).prompt).toBe("--what is -x");
  expect((await asked(["-p", "doctor"], {})).prompt).toBe("doctor");
});

test("piped text is the prompt; with a prompt it is added [A-OUT-02]", async () => {
  expect(await asked(["-p"], { stdin: "from a pipe\n" })).toEqual({ prompt: "from a pipe\n", stderr: "" });
  expect((await asked(["-p", "explain:"], { stdin: "line 1\nline 2" })).prompt).toBe(
    "explain:\n\nline 1\nline 2",
  );
});

test("without -p a prompt whose stdout is no terminal is answered in print mode [A-OUT-02]", async () => {
  expect((await asked(["--no-session"], { stdin: "from a pipe" })).prompt).toBe("from a pipe");
});

test.each(["null", "closed"] as const)("a stdin that is %s is no input and no error", async (input) => {
  expect(await asked(["-p", "go"], { input })).toEqual({ prompt: "go", stderr: "" });
});

test("a stdin that is only open for writing is no input and no error", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("ok"));
  const { command, rest } = commandFor(ws, ["-p", "go"], { server, input: "null" });
  const [program, ...argv] = command;
  const words = ["sh", "-c", 'exec "$0" "$@" 0>"$HOME/written"', program!, ...argv];
  expect(await runProcess(words, rest)).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
});

test("an empty pipe adds nothing", async () => {
  expect(await asked(["-p", "go"], { stdin: "" })).toEqual({ prompt: "go", stderr: "" });
  expect((await asked(["-p", "go"], { stdin: " \n\n" })).prompt).toBe("go");
});

test("a file is read whole", async () => {
  await using server = await modelServer();
  const text = "a long line of a file\n".repeat(20_000);
  await using ws = await workspace({ "prompt.txt": text });
  server.reply(say("ok"));
  const { command, rest } = commandFor(ws, ["-p"], { server });
  const result = await runProcess(["sh", "-c", 'exec "$@" < prompt.txt', "sh", ...command], rest);
  expect(result.code).toBe(0);
  expect(server.request(1).userTexts.at(-1)).toBe(text);
});

test("a slow writer is waited for to its end once the first byte came", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("ok"));
  const { command, rest } = commandFor(ws, ["-p"], { server });
  const result = await slowStdin(command, ["one ", "two ", "日本", "語"], { cwd: rest.cwd, env: rest.env });
  expect(result.code).toBe(0);
  expect(server.request(1).userTexts.at(-1)).toBe("one two 日本語");
});

test("a pipe that stays open and silent is left after 3 s, with one notice", async () => {
  const { prompt, stderr } = await asked(["-p", "go"], { input: "open" });
  expect(prompt).toBe("go");
  expect(stderr).toMatch(/^warning: nothing came on stdin within 3 s.*--stdin.*\n$/);
});

test("with --stdin an open pipe is waited for: the answer comes only after its end", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("ok"));
  await using running = startPi(ws, ["-p", "--stdin"], { server, input: "open" });
  running.write("first ");
  running.write("second");
  expect(server.requests).toHaveLength(0);
  running.closeStdin();
  expect((await running.exited).code).toBe(0);
  expect(server.request(1).userTexts.at(-1)).toBe("first second");
});

test("binary input and input without end are refused by name and size, before any request", async () => {
  await using ws = await workspace();
  const env = { ANTHROPIC_API_KEY: "sk-ant-not-used-0123456789" };
  const binary = await pi(ws, ["-p", "what is this?"], { env, stdin: new Uint8Array([0x89, 0x50, 0, 1, 2]) });
  expect({ code: binary.code, stdout: binary.stdout }).toEqual({ code: 2, stdout: "" });
  expect(binary.stderr).toMatch(/binary data \(5 bytes\)/);
  const { command, rest } = commandFor(ws, ["-p", "go"], { env });
  const endless = await runProcess(["sh", "-c", 'yes | "$@"; echo "code $?"', "sh", ...command], rest);
  expect(endless.stdout).toBe("code 2\n");
  expect(endless.stderr).toMatch(/longer than 10 MB/);
});

test("UTF-16 with its mark is read as text; bytes of another encoding are replaced, with a notice", async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("grüß dich", "utf16le")]);
  expect(await asked(["-p"], { stdin: utf16 })).toEqual({ prompt: "grüß dich", stderr: "" });
  const latin = await asked(["-p"], { stdin: Buffer.from("gr\xfc\xdf dich", "latin1") });
  expect(latin.prompt).toBe("gr\ufffd\ufffd dich");
  expect(latin.stderr).toMatch(/not valid UTF-8/);
});

test("a prompt far longer than an argument may be goes through a pipe whole [P13]", async () => {
  const text = "日本語🎉 ".repeat(40_000);
  expect((await asked(["-p"], { stdin: text })).prompt).toBe(text);
});

test.if(process.platform === "linux")(
  "a stdin that is a folder or an unreadable device is no crash",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.otherwise(() => [say("ok")]);
    const { command, rest } = commandFor(ws, ["-p", "go"], { server });
    for (const path of [ws.path, "/dev/zero", "/dev/full"]) {
      const descriptor = openSync(path, "r");
      try {
        const child = Bun.spawn([...command], { ...rest, stdin: descriptor, stdout: "pipe", stderr: "pipe" });
        expect(await new Response(child.stdout).text()).toBe("ok\n");
        expect(await child.exited).toBe(0);
      } finally {
        closeSync(descriptor);
      }
    }
  },
);
