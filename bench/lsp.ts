import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { testProgram, type Workspace, workspace } from "@pi-ts/testkit";
import { median } from "./measure.ts";
import { type Figure, ms } from "./report.ts";
import { benchService, prompt } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

const SERVER = "typescript-language-server/lib/cli.mjs";
const FILE = "work.ts";
/** Edits until server and agent are warm; not counted. */
const WARM_UP = 5;
const LINES = 200;

const source = (value: string) =>
  `${Array.from({ length: LINES }, (_, line) => `export const value${line}: number = ${line};`).join("\n")}\nexport const last = ${value};\n`;

/**
 * An edit with formatting and diagnostics on a warm TypeScript server: what the agent adds to the server's own time for the same
 * questions, which a bare client measures in the same run. Nothing where the server is not installed.
 */
export async function benchLsp(edits: number): Promise<Figure[]> {
  const program = testProgram(SERVER);
  if (program === null) {
    process.stderr.write(`lsp: ${SERVER} is not installed (npm ci --prefix test-programs): left out\n`);
    return [];
  }
  await using space = await workspace({ "tsconfig.json": "{}", [FILE]: source("0") });
  await using service = await benchService();
  space.write(
    join(space.home, ".pi-go", "config.json"),
    JSON.stringify({ lsp: { servers: { typescript: { command: "node", args: [program, "--stdio"] } } } }),
  );
  // Answered when the server is ready; edits would not wait for that.
  const ready = { name: "lsp-diagnostics", input: { file: FILE } };
  const steps = Array.from({ length: edits + WARM_UP }, (_, index) => index);
  const calls = steps.map((index) => ({
    name: "edit",
    input: { file_path: FILE, old_string: `last = ${index}`, new_string: `last = ${index + 1}` },
  }));
  const run = async (words: readonly string[], before: typeof calls | [typeof ready]) => {
    space.write(FILE, source("0"));
    return await editTimes(space, service.url, [...words, "-p", prompt([...before, ...calls])]);
  };
  const plain = await run(["--lsp", "off"], []);
  const served = await run([], [ready]);
  const own = await serverTimes(space, program, steps);
  const added = median(served) - median(plain) - median(own);
  return [
    {
      name: `edit with formatting and diagnostics, added to TypeScript's own time (${edits} edits)`,
      value: ms(added),
      beside: `the server alone: ${ms(median(own))}, an edit without it: ${ms(median(plain))}`,
      goal: "≤ 150 ms",
      met: added <= 150,
    },
  ];
}

/** How long each edit took, as the events say. Milliseconds. */
async function editTimes(space: Workspace, url: string, words: readonly string[]): Promise<number[]> {
  const { argv, cwd, environment } = piCommand(space, url, ["--mode", "json", ...MODEL, ...words]);
  const child = Bun.spawn([...argv], { cwd, env: { ...environment }, stdin: "ignore", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`pi ended with exit code ${code}\n${stderr.slice(-1_000)}`);
  const events = stdout
    .trim()
    .split("\n")
    .map(
      (line) => JSON.parse(line) as { type: string; tool_name: string; duration_ms: number; content: string },
    );
  const results = events.filter(({ type, tool_name }) => type === "tool_result" && tool_name === "edit");
  const wanted = words.includes("off") ? "1 replacement" : "Diagnostics (typescript): none.";
  const wrong = results.slice(WARM_UP).find(({ content }) => !content.includes(wanted));
  if (wrong !== undefined) throw new Error(`an edit went wrong: ${wrong.content}`);
  return results.slice(WARM_UP).map(({ duration_ms }) => duration_ms);
}

/** The change of a step, as small as the agent sends it. */
function lastChanged(index: number) {
  const start = { line: LINES, character: "export const last = ".length };
  const end = { line: LINES, character: start.character + String(index).length };
  return { range: { start, end }, text: String(index + 1) };
}

/** How long the server takes for the same questions when a bare client asks them. Milliseconds. */
async function serverTimes(space: Workspace, program: string, steps: readonly number[]): Promise<number[]> {
  await using server = bareClient(["node", program, "--stdio"], space);
  const rootUri = pathToFileURL(space.path).href;
  const file = join(space.path, FILE);
  const uri = pathToFileURL(file).href;
  await server.request("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "bench" }],
    capabilities: {},
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: { useSyntaxServer: "never" },
    },
  });
  server.notify("initialized", {});
  server.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "typescript", version: 1, text: source("0") },
  });
  const check = (name: string) =>
    server.request("workspace/executeCommand", {
      command: "typescript.tsserverRequest",
      arguments: [name, { file }],
    });
  const times: number[] = [];
  for (const index of steps) {
    const started = performance.now();
    server.notify("textDocument/didChange", {
      textDocument: { uri, version: index + 2 },
      contentChanges: [lastChanged(index)],
    });
    const options = { tabSize: 4, insertSpaces: true };
    await server.request("textDocument/formatting", { textDocument: { uri }, options });
    await Promise.all([check("syntacticDiagnosticsSync"), check("semanticDiagnosticsSync")]);
    times.push(performance.now() - started);
  }
  return times.slice(WARM_UP);
}

/** The least that speaks to a language server. */
function bareClient(argv: string[], space: Workspace) {
  const child = Bun.spawn(argv, {
    cwd: space.path,
    env: space.env(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const waiting = new Map<number, () => void>();
  let requests = 0;
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    child.stdin.flush();
  };
  const take = ({ id, method }: { id?: number; method?: string }) => {
    if (id === undefined) return;
    if (method === undefined) waiting.get(id)?.();
    else send({ id, result: null });
  };
  const read = async () => {
    let buffer = Buffer.alloc(0);
    for await (const chunk of child.stdout) {
      buffer = Buffer.concat([buffer, chunk]);
      for (let end = buffer.indexOf("\r\n\r\n"); end >= 0; end = buffer.indexOf("\r\n\r\n")) {
        const length = Number(/content-length: (\d+)/i.exec(buffer.toString("latin1", 0, end))?.[1]);
        if (buffer.length < end + 4 + length) break;
        take(JSON.parse(buffer.toString("utf8", end + 4, end + 4 + length)));
        buffer = buffer.subarray(end + 4 + length);
      }
    }
  };
  read().catch(() => undefined);
  return {
    notify: (method: string, params: object) => send({ method, params }),
    request: (method: string, params: object) =>
      new Promise<void>((resolve) => {
        const id = ++requests;
        waiting.set(id, resolve);
        send({ id, method, params });
      }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
