import { readFileSync } from "node:fs";

/** A turn of a conversation. */
export interface Turn {
  id: string;
  session: number;
  speaker: string;
  text: string;
  caption: string;
  at: number;
}

export interface Question {
  text: string;
  /** 1 several hops, 2 time, 3 open domain, 4 one hop, 5 adversarial. */
  category: number;
  evidence: ReadonlySet<string>;
}

export interface Conversation {
  id: string;
  turns: Turn[];
  questions: Question[];
  /** Questions without any evidence that can be found; left out of `questions`. */
  withoutEvidence: number;
}

interface RawConversation {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; category: number; evidence?: unknown[] }[];
}

interface RawTurn {
  dia_id: string;
  speaker: string;
  text?: string;
  blip_caption?: string;
}

/** Reads a file of LoCoMo (snap-research/locomo, CC BY-NC 4.0; never part of this repository). */
export function readLocomo(path: string): Conversation[] {
  return (JSON.parse(readFileSync(path, "utf8")) as RawConversation[]).map(readConversation);
}

function readConversation(raw: RawConversation): Conversation {
  const turns: Turn[] = [];
  const numbers = Object.keys(raw.conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  for (const session of numbers) {
    const at = parseTime(String(raw.conversation[`session_${session}_date_time`] ?? ""));
    for (const turn of raw.conversation[`session_${session}`] as RawTurn[])
      turns.push({
        id: turn.dia_id,
        session,
        speaker: turn.speaker,
        text: turn.text ?? "",
        caption: turn.blip_caption ?? "",
        at,
      });
  }
  const known = new Set(turns.map((turn) => turn.id));
  const questions = raw.qa.map((question) => ({
    text: question.question,
    category: question.category,
    evidence: new Set(
      (question.evidence ?? [])
        .flatMap((entry) =>
          [...String(entry).matchAll(/D:?(\d+):0*(\d+)/g)].map((match) => `D${match[1]}:${match[2]}`),
        )
        .filter((id) => known.has(id)),
    ),
  }));
  const answerable = questions.filter((question) => question.evidence.size > 0);
  return {
    id: raw.sample_id,
    turns,
    questions: answerable,
    withoutEvidence: questions.length - answerable.length,
  };
}

/** "1:56 pm on 8 May, 2023" as milliseconds, UTC. */
function parseTime(text: string): number {
  const match = /(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)/i.exec(text);
  if (match === null) return 0;
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.parse(`${day} ${month} ${year} ${String(hours).padStart(2, "0")}:${minute}:00 UTC`);
}
