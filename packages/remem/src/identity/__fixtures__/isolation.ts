import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { terms } from "../../core/text/tokenize.ts";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { identifyProject } from "../identify-project.ts";
import { type SessionScopes, scopesFor } from "../scopes-for.ts";
import { makeProjectFolders, type ProjectFolder } from "./project-folders.ts";

/** What came of writing in each folder and asking in each other. */
export interface IsolationReport {
  readonly folders: number;
  /** Ordered pairs of folders. */
  readonly pairs: number;
  /** Pairs of different projects where a memory of one was found in the other, by their labels. */
  readonly leaks: readonly string[];
  /** Pairs of one project where the memory was not found. */
  readonly missed: readonly string[];
  /** Pairs of one project, the folder with itself included. */
  readonly shared: number;
  /** Milliseconds of each identification, ascending. */
  readonly times: readonly number[];
}

/**
 * Writes a memory in real folders of every kind and asks for it in all of them, through a real SQLite store: as project memory, and as a
 * session's own, which nobody else may read.
 */
export async function measureIsolation(): Promise<IsolationReport> {
  await using space = await workspace();
  const folders = makeProjectFolders(space);
  let now = 1_000;
  const store = await openSqliteStore({ path: join(space.outside, "memory.db"), clock: { now: () => now++ } });
  try {
    const times: number[] = [];
    const scopes: SessionScopes[] = [];
    for (const [index, folder] of folders.entries()) {
      const started = performance.now();
      // No limit of time: a slow machine must not change what is measured here.
      const identity = await identifyProject(folder.path, {
        home: space.home,
        environment: space.env(),
        timeoutMs: 60_000,
      });
      times.push(performance.now() - started);
      const resolution = await store.state.resolveProject(identity.aliases, identity.evidence, now++);
      scopes.push(scopesFor(resolution, { sessionId: `session-${index}` }, identity.root));
    }
    await store.add(
      scopes.flatMap(({ write }, index) =>
        [write.project, write.session].map((scope) => ({
          memory: {
            kind: "fact" as const,
            scope,
            text: `${scope.kind} ${wordOf(scope.kind, index)}`,
            provenance: {
              host: "bench",
              sessionId: `session-${index}`,
              author: { role: "user" as const },
              typed: true,
            },
          },
        })),
      ),
    );
    const leaks: string[] = [];
    const missed: string[] = [];
    let shared = 0;
    const finds = async (word: string, reader: SessionScopes): Promise<boolean> => {
      const states = ["active", "candidate", "superseded"] as const;
      const hits = await store.lexical({ terms: terms(word), scopes: reader.read, states, limit: 5 });
      return (await store.records(hits.rows)).size > 0;
    };
    for (const [from, writer] of folders.entries())
      for (const [to, reader] of folders.entries()) {
        const found = await finds(wordOf("project", from), scopes[to]!);
        if (writer.project === reader.project) shared++;
        if (found && writer.project !== reader.project) leaks.push(pairOf(writer, reader));
        if (!found && writer.project === reader.project) missed.push(pairOf(writer, reader));
        if ((await finds(wordOf("session", from), scopes[to]!)) !== (from === to))
          (from === to ? missed : leaks).push(`session: ${pairOf(writer, reader)}`);
      }
    times.sort((a, b) => a - b);
    return { folders: folders.length, pairs: folders.length ** 2, leaks, missed, shared, times };
  } finally {
    await store.close();
  }
}

/** A word that no other pair has. */
function wordOf(kind: string, index: number): string {
  return `canary${kind}${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}x`;
}

function pairOf(writer: ProjectFolder, reader: ProjectFolder): string {
  return `${writer.label} (${writer.project}) -> ${reader.label} (${reader.project})`;
}
