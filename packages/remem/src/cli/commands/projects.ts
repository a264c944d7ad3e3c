import type { ProjectRecord } from "../../core/ports/engine-state.ts";
import type { CommandDefinition } from "../command.ts";
import { noStore } from "../no-store.ts";
import { day, isoTime } from "../output/memory-view.ts";

/** So many memories of a project are counted. */
const MOST_COUNTED = 10_000;

/** `remem projects`: the projects that something is remembered of. */
export const projectsCommand: CommandDefinition = {
  name: "projects",
  summary: "the projects that are known, and how they are told apart",
  usage: "",
  words: { least: 0, most: 0 },
  options: {},
  async run({ memory }) {
    const opened = await memory.reading();
    if (opened === undefined) return { blocks: [await noStore(memory)], data: { projects: [] } };
    const { project: here } = await memory.context();
    const projects = await opened.state.projects();
    const counts = new Map<string, number>();
    for (const { key } of projects)
      counts.set(
        key,
        (await opened.memories.list({ scope: { kind: "project", id: key } }, MOST_COUNTED)).length,
      );
    const count = (key: string): string =>
      counts.get(key)! < MOST_COUNTED ? String(counts.get(key)) : `${MOST_COUNTED} or more`;
    return {
      blocks:
        projects.length === 0
          ? ["No project is known yet."]
          : [
              {
                head: ["key", "seen", "memories", "known by"],
                rows: projects.map((project) => [
                  project.key + (project.key === here ? " (here)" : ""),
                  day(project.seenAt),
                  count(project.key),
                  project.aliases.map(({ value }) => value).join(", "),
                ]),
              },
            ],
      data: {
        projects: projects.map((project) => ({
          ...projectData(project),
          memories: counts.get(project.key)!,
          here: project.key === here,
        })),
      },
    };
  },
};

/** A project as `--json` gives it. */
export function projectData({ key, aliases, seenAt }: ProjectRecord) {
  return { key, seen_at: isoTime(seenAt), aliases: aliases.map(({ kind, value }) => ({ kind, value })) };
}
