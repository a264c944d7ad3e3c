/** Keys and secrets: in the one request header that needs them, and nowhere else. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  canary,
  fail,
  type ModelServer,
  modelServer,
  say,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { pi, startPi, TEST_KEY } from "./support/pi.ts";
import { filesBelow, onlySession, stateFolder } from "./support/state.ts";

const unix = process.platform !== "win32";
/** Other keys that the user has in the environment, which this run does not even use. */
const OTHER_KEYS = {
  OPENAI_API_KEY: "sk-proj-other-9876543210-zyxwvuts",
  GITHUB_TOKEN: "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  DB_PASSWORD: "correct-horse-battery-staple",
};

function expectAbsent(words: readonly string[], server: ModelServer, ws: Workspace): void {
  for (const word of words) canary(word).absentFrom(...server.requests, stateFolder(ws), ws.path, ws.temp);
}

async function runCommands(ws: Workspace, server: ModelServer, argv: string[], commands: string[]) {
  server.reply(...commands.map((command) => call("bash", { command })));
  server.reply(say("ok"));
  const result = await pi(ws, [...argv, "-p", "go"], { server, env: OTHER_KEYS });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  return server.request(2).results.map(({ text }) => text);
}

test.if(unix).each(["workspace-write", "read-only", "off"])(
  "no key of the agent or the user reaches a command's environment with the sandbox %s [B08][X04]",
  async (tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const [environment] = await runCommands(
      ws,
      server,
      ["--sandbox", tier],
      [
        "env; env | base64; export -p",
        "cat /proc/self/environ | tr '\\0' '\\n'; xargs -0 -n1 < /proc/self/environ | base64 -w0",
      ],
    );
    expect(environment).toContain("HOME=");
    expect(server.request(1).headers["x-api-key"]).toBe(TEST_KEY);
    expectAbsent([TEST_KEY, ...Object.values(OTHER_KEYS)], server, ws);
  },
);

test.if(process.platform === "linux")(
  "a confined command finds no key in any process it can see [B08][X04]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    await runCommands(
      ws,
      server,
      [],
      [
        "cat /proc/$PPID/environ | tr '\\0' '\\n'",
        "for p in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $p; done 2>/dev/null; true",
        "for p in /proc/[0-9]*/task/*/environ /proc/[0-9]*/cmdline; do cat $p | base64 -w0; done 2>/dev/null; true",
      ],
    );
    expectAbsent([TEST_KEY, ...Object.values(OTHER_KEYS)], server, ws);
  },
);

test.if(process.platform === "linux")(
  "without a sandbox the agent's own entry in /proc holds no key either [B08]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const [own] = await runCommands(
      ws,
      server,
      ["--sandbox", "off"],
      ["cat /proc/$PPID/environ | tr '\\0' '\\n'; cat /proc/$PPID/cmdline | tr '\\0' ' '"],
    );
    expect(own).toContain("HOME=");
    expectAbsent([TEST_KEY, ...Object.values(OTHER_KEYS)], server, ws);
  },
);

test("the contents of .env and key files reach the model by no tool, their names do, and .env.example is free [X04]", async () => {
  const secret = "value-that-nobody-may-see-4711";
  await using server = await modelServer();
  await using ws = await workspace(
    { "a.txt": "one\n", ".env.example": "API_KEY=your-key-here\n" },
    { git: true },
  );
  const secretFiles = [".env", ".env.local", "deploy/id_rsa", ".pi-go/.env", "certs/server.key"];
  for (const name of secretFiles) ws.write(name, `API_KEY=${secret}\n`);
  ws.write("link.txt", { kind: "link", target: ".env" });
  const inputs = [...secretFiles, "link.txt", "./x/../.env", join(ws.path, ".env")];
  server.reply(
    ...inputs.map((name) => call("read", { file_path: name })),
    ...inputs.map((name) => call("git-file-diff", { file: name })),
    call("git-hunk", { file: ".env" }),
    call("edit", { file_path: ".env", old_string: "API_KEY=", new_string: "KEY=" }),
    call("grep", { pattern: "API_KEY" }),
    call("grep", { pattern: "API_KEY", path: ".env" }),
    call("find", { pattern: "**/.env*" }),
    call("ls", {}),
    call("bash", {
      command: "cat .env .env.local link.txt deploy/id_rsa; grep -r API_KEY .; git add -A; git diff --cached",
    }),
  );
  server.reply(call("read", { file_path: ".env.example" }));
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", "go"], { server });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  canary(secret).absentFrom(...server.requests, stateFolder(ws), result.stderr);
  const results = server.request(3).results;
  expect(results.some(({ text }) => text.includes(".env.local"))).toBe(true);
  expect(results.at(-1)?.text).toContain("API_KEY=your-key-here");
  expect(ws.read(".env")).toBe(`API_KEY=${secret}\n`);
});

test.if(unix)(
  "everything under the state folder is private: folders 0700, files 0600 [C13][X05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: "seq 1 60000" }));
    server.reply(say("ok"));
    const umask = process.umask(0);
    try {
      await pi(ws, ["-p", "go"], { server });
    } finally {
      process.umask(umask);
    }
    const root = stateFolder(ws);
    const paths = readdirSync(root, { recursive: true }).map((name) => join(root, name as string));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of [root, ...paths]) {
      const stat = statSync(path);
      const mode = (stat.mode & 0o777).toString(8);
      expect(`${path} ${mode}`).toBe(`${path} ${stat.isDirectory() ? "700" : "600"}`);
    }
  },
);

test.if(process.platform === "linux")("a running agent listens on no port [X05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "echo up; exec sleep 600" }));
  await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
  await running.waitForOutput(/"type":"tool_progress"[^\n]*"delta":"up/);
  expect(listeningSockets(running.pid)).toEqual([]);
  running.kill("SIGTERM");
  await running.exited;
});

/** Lines of /proc/net about listening TCP and bound UDP sockets that the process holds. */
function listeningSockets(pid: number): string[] {
  const held = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const target = readLink(`/proc/${pid}/fd/${descriptor}`);
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined) held.add(inode);
  }
  return ["tcp", "tcp6", "udp", "udp6"].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, "utf8")
      .split("\n")
      .slice(1)
      .filter((line) => {
        const fields = line.trim().split(/\s+/);
        const listens = name.startsWith("tcp") ? fields[3] === "0A" : fields[3] === "07";
        return listens && held.has(fields[9] ?? "");
      }),
  );
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // the descriptor was closed meanwhile
    return "";
  }
}

test("secrets in prompts, arguments, results and service errors are in no log and no other file but the session itself [X05]", async () => {
  const secrets = {
    aws: "AKIAIOSFODNN7EXAMPLQ",
    jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    github: "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    anthropic: "sk-ant-api03-abcdef0123456789-XYZ",
    pem: "MIIEpAIBAAKCAQEA7bq0examplekeymaterial",
    urlPassword: "hunter2-in-a-url",
    bearer: "abcdef0123456789abcdef0123456789",
  };
  const text = [
    `aws ${secrets.aws}`,
    `token ${secrets.jwt}`,
    secrets.github,
    secrets.anthropic,
    `-----BEGIN RSA PRIVATE KEY-----\n${secrets.pem}\n-----END RSA PRIVATE KEY-----`,
    `https://user:${secrets.urlPassword}@example.com/x`,
    `Authorization: Bearer ${secrets.bearer}`,
  ].join("\n");
  await using server = await modelServer();
  await using ws = await workspace({ "notes.txt": text });
  server.reply(
    say([text.slice(0, 30), text.slice(30, 90), text.slice(90)]),
    call("read", { file_path: "notes.txt" }),
  );
  server.reply(call("bash", { command: `printf %s '${text}'` }), call("grep", { pattern: secrets.aws }));
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", text], { server });
  expect(result.code).toBe(0);
  expect(server.request(1).userTexts.at(-1)).toBe(text);
  const { folder } = onlySession(ws);
  const files = filesBelow(ws.home).filter((file) => file !== join(folder, "events.jsonl"));
  expect(files.some((file) => file.endsWith(".log"))).toBe(true);
  for (const word of Object.values(secrets)) canary(word).absentFrom(...files);
});

test.each(["print", "json"])(
  "a service that sends our key back in its refusal does not bring it onto the screen or the disk in %s mode [X05]",
  async (mode) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const message = `invalid x-api-key: ${TEST_KEY}`;
    server.reply(fail(401, { body: { type: "error", error: { type: "authentication_error", message } } }));
    const result = await pi(ws, ["--mode", mode, "-p", "go"], { server });
    expect(result.code).toBe(1);
    expect(result.stdout + result.stderr).toContain("401");
    canary(TEST_KEY).absentFrom(result.stdout, result.stderr, ws.home, ws.temp);
  },
);
