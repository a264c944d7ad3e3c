/**
 * Where words may turn up. A different word is put into every entrance of a run, and looked for in every exit: it is where it has to be,
 * may be where it is allowed to be, and is nowhere else.
 */
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { call, type ModelServer, modelServer, say, think, type Workspace, workspace } from "@pi-ts/testkit";
import { fakeEntry, userServers } from "./support/mcp.ts";
import { fillMemory, stateEarlier } from "./support/memory.ts";
import { anyPi, type PiResult, pi } from "./support/pi.ts";
import { filesBelow, sessionsOf, stateFolder } from "./support/state.ts";

/** Everything that leaves a run. `requests` are those of the run itself, `later` those of a new session after it. */
const EXITS = [
  "requests",
  "later",
  "memory",
  "session",
  "log",
  "stdout",
  "stderr",
  "export",
  "elsewhere",
] as const;
type Exit = (typeof EXITS)[number];

interface Entrance {
  word: string;
  /** It has to be here. */
  in: readonly Exit[];
  /** It may be here as well. */
  may?: readonly Exit[];
}

/** What the conversation itself holds is in its log and its export; that is what they are for. */
const CONVERSATION: readonly Exit[] = ["requests", "session", "log", "export"];

const ENTRANCES: Readonly<Record<string, Entrance>> = {
  "what a person stated": { word: "marabou", in: [...CONVERSATION, "memory", "later"] },
  "a private block": { word: "hoatzin", in: CONVERSATION },
  "a secret": { word: "ghp_16C7e42F292c6912E7710c838347Ae178B4a", in: ["requests", "session"] },
  "piped input": { word: "cassowary", in: CONVERSATION },
  "AGENTS.md": { word: "shoebill", in: ["requests", "later"] },
  "a skill's text": { word: "kakapoes", in: CONVERSATION },
  "a hook's addition": { word: "hornbill", in: ["requests", "session", "export", "later"] },
  "output of a command": { word: "curassow", in: CONVERSATION },
  "a file that was read": { word: "jabiruan", in: CONVERSATION },
  "a file that was written": { word: "lyrebird", in: CONVERSATION, may: ["stderr"] },
  "output of an excluded tool": { word: "motmotic", in: CONVERSATION },
  "arguments of an excluded tool": { word: "potooish", in: CONVERSATION, may: ["stderr"] },
  "a file of an excluded path": { word: "quetzals", in: CONVERSATION },
  "the name of an excluded path": { word: "rhearhea", in: CONVERSATION, may: ["stderr"] },
  "a tool of an MCP server": { word: "seriemas", in: CONVERSATION, may: ["stderr"] },
  "the model's answer": {
    word: "tinamous",
    in: ["stdout", "session", "log", "export", "memory"],
    may: ["requests", "later"],
  },
  "the model's thinking": { word: "umbrella", in: ["requests", "session", "export"] },
  "a recalled memory": { word: "vireonid", in: [...CONVERSATION, "memory"], may: ["later", "stdout"] },
  "another project's memory": { word: "wallcreeper", in: ["memory"] },
  "a memory that was forgotten": { word: "xenopsis", in: [] },
  "a candidate": { word: "yellowlegs", in: ["memory"] },
};

const word = (entrance: string): string => ENTRANCES[entrance]!.word;

const SKILL = `---\nname: release\ndescription: make a release\n---\n\nWe always tag with ${word("a skill's text")}.\n`;

test("a word from each entrance is in the exits where it belongs, and in no other [R02][R03][R09][R10][A-MEM-09][A-MEM-10]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "AGENTS.md": `We always use ${word("AGENTS.md")} for notes.\n`,
    "data.txt": `We decided on ${word("output of a command")}.\n`,
    "read.txt": `Remember: always use ${word("a file that was read")}.\n`,
    "grep.txt": `found ${word("output of an excluded tool")} here\n`,
    [`private/${word("the name of an excluded path")}.txt`]: `we use ${word("a file of an excluded path")}\n`,
  });
  prepare(ws);
  await remembered(ws);
  server.reply(
    think(`I prefer ${word("the model's thinking")}.`),
    call("bash", { command: "cat data.txt" }),
    call("read", { file_path: "read.txt" }),
    call("write", { file_path: "new.txt", content: `We use ${word("a file that was written")} now.\n` }),
    call("grep", { pattern: `found|${word("arguments of an excluded tool")}`, path: "grep.txt" }),
    call("read", { file_path: `private/${word("the name of an excluded path")}.txt` }),
    call("fake__do", { what: "content", text: said(`We always use ${word("a tool of an MCP server")}.`) }),
  );
  const repeated = `As remembered, the ${word("a recalled memory")} deployment script needs the staging token first.`;
  server.reply(say(`I set up the ${word("the model's answer")} formatter in the project. ${repeated}`));
  const prompt = [
    `We use ${word("what a person stated")} as the formatter for TypeScript.`,
    `<private>My manager is called ${word("a private block")}.</private>`,
    `The token is ${word("a secret")}.`,
    `Set up what the ${word("a recalled memory")} deployment script needs.`,
  ].join("\n");
  const run = await start(ws, ["-p", prompt], server, `We always use ${word("piped input")}.\n`);
  expect({ code: run.code, calls: server.request(2).results.filter(({ isError }) => isError) }).toEqual({
    code: 0,
    calls: [],
  });
  server.reply(say("Tagged."));
  await start(ws, ["-p", "/release now"], server);
  const inRun = server.requests.length;
  server.reply(say("The same as before."));
  await start(ws, ["-p", "Which formatter do we use for TypeScript?"], server);

  const state = stateFolder(ws);
  const text = (files: readonly string[]) => files.map((file) => readFileSync(file, "latin1")).join("\n");
  const below = (folder: string) => filesBelow(join(state, folder));
  const known = [...below("memory"), ...below("sessions"), ...below("log")];
  const own = sessionsOf(ws).slice(0, 2);
  const found: Record<Exit, string> = {
    requests: server.requests
      .slice(0, inRun)
      .map((request) => request.text)
      .join("\n"),
    later: server.requests
      .slice(inRun)
      .map((request) => request.text)
      .join("\n"),
    memory: text(below("memory")),
    session: text(own.flatMap(({ folder }) => filesBelow(folder))),
    log: text(below("log")),
    stdout: run.stdout,
    stderr: run.stderr,
    export: (await Promise.all(own.map(({ id }) => exportedText(ws, id)))).join("\n"),
    elsewhere: text(
      [...filesBelow(ws.home), ...filesBelow(ws.temp)].filter(
        (file) =>
          !known.includes(file) && !file.includes(`${sep}skills${sep}`) && !file.endsWith("config.json"),
      ),
    ),
  };
  const wrong = Object.entries(ENTRANCES).flatMap(([name, entrance]) =>
    EXITS.flatMap((exit) => {
      const is = found[exit].includes(entrance.word);
      if (entrance.in.includes(exit)) return is ? [] : [`${name} is missing in ${exit}`];
      return is && entrance.may?.includes(exit) !== true ? [`${name} is in ${exit}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
  const answers = await fillMemory(ws, async (memory, earlier) => {
    const { scopes } = await earlier.context();
    const store = await memory.store("read");
    const lists = await Promise.all(
      scopes.map((scope) => store!.memories.list({ scope, kinds: ["answer"] }, 50)),
    );
    return lists.flat().map((record) => record.text);
  });
  expect(answers.filter((answer) => answer.includes(word("the model's answer")))).toHaveLength(1);
  expect(answers.join("\n")).not.toContain(word("a recalled memory"));
  for (const file of below("memory"))
    expect(`${file} ${(statSync(file).mode & 0o777).toString(8)}`).toBe(`${file} 600`);
});

function prepare(ws: Workspace): void {
  const state = stateFolder(ws);
  ws.write(join(state, "skills/release/SKILL.md"), SKILL);
  userServers(ws, { fake: fakeEntry() });
  const addition = JSON.stringify({ add: `Remember: we use ${word("a hook's addition")} here.` });
  ws.write(
    join(state, "config.json"),
    JSON.stringify({
      hooks: [{ event: "prompt", command: `echo '${addition}'` }],
      memory: { excluded_tools: ["grep"], excluded_paths: ["private/**"] },
      mcp: { startupWait: 60 },
    }),
  );
}

/** What was there before: a memory of this project, one of another, one that was forgotten, one that waits for a person's word. */
async function remembered(ws: Workspace): Promise<void> {
  const recalled = `The ${word("a recalled memory")} deployment script needs the staging token first.`;
  await stateEarlier(ws, [`Remember: ${recalled}`]);
  await stateEarlier(
    ws,
    [`We use ${word("another project's memory")} as the formatter for TypeScript.`],
    ws.outside,
  );
  await fillMemory(ws, async (memory, session) => {
    const manager = await memory.manager();
    const { writes } = await session.context();
    const person = { name: "", interactive: true };
    const statement = (text: string, subject: string) =>
      ({ kind: "fact", scope: writes, text, subject }) as const;
    const old = await manager.create(
      statement(`The formatter was ${word("a memory that was forgotten")} for TypeScript.`, "old formatter"),
      person,
    );
    if (old.outcome !== "added") throw new Error(`it was not added: ${old.outcome}`);
    const { token } = await manager.previewForget({ ids: [old.id] });
    await manager.forget(token, person);
    await manager.create(
      statement("The formatter config lies in the root folder.", "formatter config"),
      person,
    );
    const candidate = await manager.create(
      statement(`The formatter config lies in ${word("a candidate")}.`, "formatter config"),
      { name: "", interactive: false },
    );
    if (candidate.outcome !== "added" || candidate.state !== "candidate")
      throw new Error("it is no candidate");
  });
}

function start(
  ws: Workspace,
  words: readonly string[],
  server?: ModelServer,
  stdin?: string,
): Promise<PiResult> {
  return pi(ws, words, {
    entrance: anyPi(),
    ...(server === undefined ? {} : { server }),
    ...(stdin === undefined ? {} : { stdin }),
  });
}

async function exportedText(ws: Workspace, id: string): Promise<string> {
  return (await start(ws, ["sessions", "export", id, "--format", "json", "--output", "-"])).stdout;
}

/** What makes the fake server's tool give this text. */
function said(text: string): string {
  return JSON.stringify({ content: [{ type: "text", text }] });
}
