// A scripted language server. Its one argument is a JSON file:
//   log           every message that comes in is appended there, one a line
//   starts        a byte is appended there at each start
//   exit          ends at once with this code
//   say           written to stderr at the start; flood: a megabyte of it
//   garbage       "start": text before the first message; "length": a wrong Content-Length in the answer to initialize
//   initialize    "hang", or a file: answers once it is there
//   capabilities  laid over the default ones
//   publish       "versioned" | "unversioned" | "never" | "stale" (the version before) | "twice" (empty, then the truth) |
//                 a file: publishes once it is there
//   first         publishes that an opened document has no problems, naming no version, as of the file on the disk
//   others        also publishes, for each change, an error of this absolute path
//   pull          answers textDocument/diagnostic, too
//   busy          a title: reports progress that ends when the file `idle` is there
//   answers       { method: [step, step, ...] }; the last one stays. A step: { result } | { error } | "hang" | "crash" | "garbage" |
//                 { format: name }
//   deaf          ignores shutdown, exit and SIGTERM
// Each line of a document that contains "bad" is an error, "odd" a warning.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
const documents = new Map();
const asked = new Map();
const encoding = script.capabilities?.positionEncoding ?? "utf-16";

if (script.starts) appendFileSync(script.starts, ".");
if (script.say) process.stderr.write(script.say);
if (script.flood) process.stderr.write("noise\n".repeat(180_000));
if (script.exit !== undefined) process.exit(script.exit);
if (script.deaf) process.on("SIGTERM", () => undefined);
if (script.garbage === "start") process.stdout.write("Welcome to the server!\r\n\r\n");

let buffer = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
    buffer = buffer.subarray(end + 4 + length);
    if (script.log) appendFileSync(script.log, `${JSON.stringify(message)}\n`);
    take(message);
  }
});
process.stdin.on("end", () => {
  if (!script.deaf) process.exit(0);
});
if (script.deaf) setInterval(() => undefined, 1_000);

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function when(file, act) {
  if (existsSync(file)) return act();
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    act();
  }, 5);
}

function take({ id, method, params }) {
  if (method === undefined) return;
  const reply = (result) => send({ id, result });
  if (method === "initialize") {
    const result = {
      capabilities: {
        textDocumentSync: { openClose: true, change: 2, save: true },
        documentFormattingProvider: true,
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentSymbolProvider: true,
        ...(script.pull ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } } : {}),
        ...script.capabilities,
      },
    };
    if (script.garbage === "length") return process.stdout.write(`Content-Length: 7\r\n\r\n${JSON.stringify(result)}`);
    if (script.initialize === "hang") return;
    if (script.initialize) return when(script.initialize, () => reply(result));
    return reply(result);
  }
  if (method === "initialized") {
    for (const [index, request] of (script.requests ?? []).entries()) send({ id: `ask-${index}`, ...request });
    if (script.busy) {
      send({ id: "progress", method: "window/workDoneProgress/create", params: { token: "t" } });
      send({ method: "$/progress", params: { token: "t", value: { kind: "begin", title: script.busy } } });
      when(script.idle, () => send({ method: "$/progress", params: { token: "t", value: { kind: "end" } } }));
    }
    return;
  }
  if (method === "shutdown") return script.deaf ? undefined : reply(null);
  if (method === "exit") return script.deaf ? undefined : process.exit(0);
  if (method === "textDocument/didOpen") {
    const { uri, text, version } = params.textDocument;
    documents.set(uri, { text, version });
    if (script.first) send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: [] } });
    return publish(params.textDocument.uri);
  }
  if (method === "textDocument/didChange") {
    const document = documents.get(params.textDocument.uri);
    const [change] = params.contentChanges;
    document.text = change.range === undefined ? change.text : spliced(document.text, change);
    document.version = params.textDocument.version;
    return publish(params.textDocument.uri);
  }
  if (method === "textDocument/didClose") return documents.delete(params.textDocument.uri);
  if (id === undefined) return;
  const steps = script.answers?.[method] ?? [];
  const count = asked.get(method) ?? 0;
  asked.set(method, count + 1);
  const step = steps[Math.min(count, steps.length - 1)];
  if (step === "hang") return;
  if (step === "crash") process.exit(70);
  if (step === "garbage") return process.stdout.write("}}} this is no message\r\n\r\n");
  if (step?.error) return send({ id, error: step.error });
  if (step?.format) return reply(FORMATS[step.format](documents.get(params.textDocument.uri).text));
  if (step?.result !== undefined) return reply(step.result);
  if (method === "textDocument/diagnostic")
    return reply({ kind: "full", items: problems(documents.get(params.textDocument.uri).text) });
  return reply(null);
}

function publish(uri) {
  const { text, version } = documents.get(uri);
  const items = problems(text);
  const tell = (more) => send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: items, ...more } });
  const way = script.publish ?? "versioned";
  if (script.others)
    send({
      method: "textDocument/publishDiagnostics",
      params: { uri: pathToFileURL(script.others).href, diagnostics: version > 1 ? [problem(0, 0, 1, 1, "broken from afar")] : [] },
    });
  if (way === "versioned") tell({ version });
  else if (way === "unversioned") tell({});
  else if (way === "stale") tell({ version: version - 1 });
  else if (way === "twice") {
    tell({ version, diagnostics: [] });
    tell({ version });
  } else if (way !== "never") when(way, () => tell({ version }));
}

function problems(text) {
  return text.split("\n").flatMap((line, index) => [
    ...(line.includes("bad") ? [problem(index, width(line.slice(0, line.indexOf("bad"))), 3, 1, "this is bad")] : []),
    ...(line.includes("odd") ? [problem(index, width(line.slice(0, line.indexOf("odd"))), 3, 2, "this is odd")] : []),
  ]);
}

function problem(line, character, length, severity, message) {
  return { range: { start: { line, character }, end: { line, character: character + length } }, severity, message, source: "fake" };
}

function width(text) {
  return encoding === "utf-8" ? Buffer.byteLength(text) : encoding === "utf-32" ? [...text].length : text.length;
}

/** The index in `line` of a column of the encoding. */
function indexIn(line, column) {
  let index = 0;
  for (const character of line) {
    if (width(line.slice(0, index)) >= column) break;
    index += character.length;
  }
  return index;
}

function offset(text, { line, character }) {
  const lines = text.split("\n");
  return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + indexIn(lines[line] ?? "", character);
}

function spliced(text, { range, text: added }) {
  return text.slice(0, offset(text, range.start)) + added + text.slice(offset(text, range.end));
}

function edit(line, from, to, newText) {
  return { range: { start: { line, character: from }, end: { line, character: to } }, newText };
}

const FORMATS = {
  /** Two spaces at the start of a line become a tab. */
  tabs: (text) => text.split("\n").flatMap((line, at) => (line.startsWith("  ") ? [edit(at, 0, 2, "\t")] : [])),
  /** The whole text anew, with a line end at its end, and LF only. */
  whole: (text) => {
    const lines = text.split("\n");
    const body = lines.map((line) => line.replace(/\r$/, "").trimEnd().replace(/^ {2}/, "\t"));
    return [edit(0, 0, 0, ""), { ...edit(0, 0, 0, `${body.join("\n").trimEnd()}\n`), range: { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } } }];
  },
  /** What follows an emoji on its line: "=" becomes " = ". */
  emoji: (text) =>
    text.split("\n").flatMap((line, at) => {
      const place = line.indexOf("=", line.indexOf("🎉"));
      return line.includes("🎉") && place > 0 && line[place - 1] !== " "
        ? [edit(at, width(line.slice(0, place)), width(line.slice(0, place + 1)), " = ")]
        : [];
    }),
  /** Lines that begin with "import" in order, at the top. */
  imports: (text) => {
    const lines = text.split("\n");
    const sorted = [...lines.filter((line) => line.startsWith("import")).sort(), ...lines.filter((line) => !line.startsWith("import"))];
    return [{ range: { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } }, newText: sorted.join("\n") }];
  },
  overlapping: () => [edit(0, 0, 3, "x"), edit(0, 2, 4, "y")],
  outside: () => [edit(900, 0, 3, "x")],
  empty: (text) => [{ range: { start: { line: 0, character: 0 }, end: { line: text.split("\n").length, character: 0 } }, newText: "" }],
  most: (text) => [{ range: { start: { line: 0, character: 0 }, end: { line: text.split("\n").length, character: 0 } }, newText: "x\n" }],
  none: () => "yes",
};
