import type { Memory } from "./memory.ts";

/** One thing that happens in a replayed session. `planted`: the secret in it, if there is one. */
interface ReplayedTurn {
  readonly prompt: string;
  readonly tool: { readonly name: string; readonly command: string; readonly output: string };
  readonly answer: string;
}

export interface HygieneOptions {
  /** Opens memory on an empty home with capture on; called once for each replay. */
  readonly open: () => Memory;
  /** Secrets to plant, one a turn, in prompts, outputs and answers in turn. */
  readonly secrets: readonly string[];
  /** Default 200. */
  readonly turns?: number;
}

/** What two replays of one session left behind. */
export interface HygieneReport {
  readonly turns: number;
  /** Rows after the first and after the second replay. */
  readonly rows: readonly [number, number];
  /** Rows of an agent or a tool whose wording was put before the model in that replay. */
  readonly recaptured: number;
  /** Rows beyond the first with the same kind and text, and their share of all. */
  readonly duplicates: number;
  readonly duplicateShare: number;
  /** Planted secrets that are in any row. */
  readonly secretsStored: number;
  /** Turns in which something was put before the model. */
  readonly injections: number;
}

const TOPICS = [
  "parser",
  "importer",
  "scheduler",
  "renderer",
  "tokenizer",
  "migrations",
  "websocket",
  "billing",
  "thumbnails",
  "search index",
];
const PLACES = ["src/core", "src/http", "src/jobs", "packages/ui", "tools"];
const ASKED = 7;

/**
 * Replays a scripted session twice, in two sessions of one project, with injection on: the model repeats what it was shown, tools
 * print it, prompts quote it, and every turn carries a secret. Nothing that was recalled may be learned again, hardly anything twice,
 * and no secret at all.
 */
export async function measureHygiene({
  open,
  secrets,
  turns: count = 200,
}: HygieneOptions): Promise<HygieneReport> {
  const turns = Array.from({ length: count }, (_, index) =>
    makeTurn(index, secrets[index % secrets.length] ?? ""),
  );
  const shown: string[] = [];
  const rows: number[] = [];
  let injections = 0;
  for (const round of ["first", "second"]) {
    const memory = open();
    try {
      injections += await replay(memory, round, turns, shown);
      rows.push((await allTexts(memory)).length);
    } finally {
      await memory.close();
    }
  }
  const memory = open();
  try {
    const texts = await allTexts(memory);
    const distinct = new Set(texts.map(({ kind, text }) => `${kind}\n${text}`));
    const duplicates = texts.length - distinct.size;
    return {
      turns: count,
      rows: [rows[0] ?? 0, rows[1] ?? 0],
      recaptured: texts.filter(({ typed, text }) => !typed && text.includes(ECHO_MARK)).length,
      duplicates,
      duplicateShare: texts.length === 0 ? 0 : duplicates / texts.length,
      secretsStored: secrets.filter((secret) => texts.some(({ text }) => text.includes(secret))).length,
      injections,
    };
  } finally {
    await memory.close();
  }
}

/** A word that only the seeded memory has: a row of an agent or a tool that has it was learned from what was recalled. */
const ECHO_MARK = "quokkazanzibar";

function makeTurn(index: number, secret: string): ReplayedTurn {
  const topic = TOPICS[index % TOPICS.length]!;
  const place = PLACES[Math.floor(index / TOPICS.length) % PLACES.length]!;
  const name = `${topic.replaceAll(" ", "-")}-${index}`;
  const where = index % 3;
  const leak = (slot: number): string => (where === slot && secret !== "" ? ` (login ${secret} )` : "");
  return {
    prompt: `Please look into case ${index}: the ${topic} in ${place}/${name}.ts misbehaves.${leak(0)}`,
    tool: {
      name: index % 2 === 0 ? "bash" : "edit",
      command: `make check-${name}`,
      output: `running ${name}\nError: ${topic} broke at line ${index * 13}${leak(1)}`,
    },
    answer: `Case ${index} is solved: the ${topic} read ${place}/${name}.ts twice, now it reads it once.${leak(2)}`,
  };
}

async function replay(
  memory: Memory,
  round: string,
  turns: readonly ReplayedTurn[],
  shown: string[],
): Promise<number> {
  const session = memory.session({ id: `hygiene-${round}` });
  session.typed({
    messageId: "seed",
    text: `The release train of the ${ECHO_MARK} project leaves every Thursday at noon from platform nine.`,
    source: "interactive",
  });
  await memory.idle();
  let injections = 0;
  for (const [index, turn] of turns.entries()) {
    const question =
      index % ASKED === 0 ? "When does the release train leave, and from which platform?" : turn.prompt;
    const { text } = await session.processPrompt(question, { turnId: String(index) });
    if (text !== "") {
      injections++;
      shown.push(text);
    }
    const echo = memoriesOf(text);
    session.typed({ messageId: `p${index}`, text: turn.prompt, source: "interactive" });
    session.tool({
      callId: `t${index}`,
      tool: turn.tool.name,
      input:
        turn.tool.name === "edit" ? { file_path: `${turn.tool.command}.ts` } : { command: turn.tool.command },
      output: `${turn.tool.output}\n${text}\nError: ${echo}`,
      failed: turn.tool.name === "bash",
      exitCode: turn.tool.name === "bash" ? 1 : 0,
    });
    session.tool({
      callId: `m${index}`,
      tool: "mem-search",
      input: { query: question },
      output: text,
      failed: false,
    });
    session.answer({
      messageId: `a${index}`,
      text: `${echo === "" ? "" : `From memory:\n${echo}\n\n${text}\n\n`}${turn.answer}`,
    });
    if (index % 10 === 9) await memory.idle();
  }
  await memory.idle();
  return injections;
}

/** The bodies of the memories of an injection, as a model would repeat them. */
function memoriesOf(injection: string): string {
  return [...injection.matchAll(/<memory [^>]*>\n([\s\S]*?)\n<\/memory>/gu)]
    .map(([, body]) => body)
    .join("\n");
}

interface Row {
  readonly kind: string;
  readonly typed: boolean;
  readonly text: string;
}

const AT_ONCE = 500;

async function allTexts(memory: Memory): Promise<Row[]> {
  const store = await memory.store("read");
  const rows: Row[] = [];
  for (let after: number | null = 0; store !== undefined && after !== null; ) {
    const part: Awaited<ReturnType<typeof store.memories.scan>> = await store.memories.scan(after, AT_ONCE);
    rows.push(
      ...part.items.map(({ kind, title, text, files, provenance }) => ({
        kind,
        typed: provenance.typed,
        text: [title, text, ...files].join("\n"),
      })),
    );
    after = part.next;
  }
  return rows;
}
