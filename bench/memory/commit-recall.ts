import { readFileSync } from "node:fs";
import type { Figure } from "../report.ts";
import { openEngine } from "./open-engine.ts";
import { meanScore, percent, type RetrievalScore, scoreRanking } from "./retrieval-metrics.ts";
import type { BenchStores } from "./stores.ts";

/** One repository of CommitRecall: its commits, and questions with the places of the commits that answer them. */
export interface CommitRecallFile {
  repo: string;
  docs: { h: string; date: string; subject: string; body: string; paths: string[] }[];
  qa: { q: string; ev: number[] }[];
}

/** Sentences of a changelog against the commits they came from: project memory as an agent writes it. */
export async function benchCommitRecall(stores: BenchStores, paths: readonly string[]): Promise<Figure[]> {
  const parts: { repository: string; scores: RetrievalScore[] }[] = [];
  for (const path of paths) parts.push(await runRepository(stores, readCommitRecall(path)));
  process.stdout.write("CommitRecall\n");
  for (const { repository, scores } of parts) {
    const { recall5, recall10, reciprocalRank } = meanScore(scores);
    process.stdout.write(
      `  ${repository.padEnd(28)} ${String(scores.length).padStart(4)} questions  R@5 ${percent(recall5)}  R@10 ${percent(recall10)}  MRR ${percent(reciprocalRank)}\n`,
    );
  }
  process.stdout.write("\n");
  const all = meanScore(parts.flatMap(({ scores }) => scores));
  const figure = (name: string, share: number, goal: number, beside: string): Figure => ({
    name,
    value: percent(share),
    beside,
    goal: `≥ ${goal}`,
    met: 100 * share >= goal,
  });
  const smallest = parts
    .filter(({ repository }) => repository.includes("mempalace"))
    .flatMap(({ scores }) => scores);
  return [
    figure("CommitRecall R@5", all.recall5, 95.5, "FTS5 alone 94.0"),
    figure("CommitRecall MRR", all.reciprocalRank, 89, "FTS5 alone 87.5"),
    ...(smallest.length > 0
      ? [figure("CommitRecall mempalace R@5", meanScore(smallest).recall5, 80, "FTS5 alone 76.3")]
      : []),
  ];
}

export function readCommitRecall(path: string): CommitRecallFile {
  return JSON.parse(readFileSync(path, "utf8")) as CommitRecallFile;
}

/** Every question on the commits of one repository. */
export async function runRepository(
  stores: BenchStores,
  file: CommitRecallFile,
  vectorWeight?: number,
): Promise<{ repository: string; scores: RetrievalScore[] }> {
  await using opened = await openEngine(stores.openNew(), vectorWeight);
  const { engine } = opened;
  const scope = { kind: "project", id: file.repo } as const;
  const added = await engine.remember(
    file.docs.map((commit) => ({
      kind: "change",
      scope,
      title: commit.subject,
      text: commit.body,
      files: commit.paths,
      at: Date.parse(commit.date),
      provenance: {
        host: "bench",
        sessionId: `${file.repo}/${commit.date.slice(0, 10)}`,
        author: { role: "import" },
        typed: false,
      },
    })),
  );
  // Commits that repeat another's words are one memory.
  const ids = added.map((result) => (result.outcome === "forgotten" ? "" : result.id));
  const scores: RetrievalScore[] = [];
  for (const { q, ev } of file.qa) {
    const { hits } = await engine.search(q, { scopes: [scope], limit: 20 });
    scores.push(
      scoreRanking(
        hits.map(({ record }) => record.id),
        new Set(ev.map((index) => ids[index]!)),
      ),
    );
  }
  return { repository: file.repo, scores };
}
