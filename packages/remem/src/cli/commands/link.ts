import type { ProjectRecord } from "../../core/ports/engine-state.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "../command.ts";
import { noStore } from "../no-store.ts";
import { counted } from "../output/memory-view.ts";
import { render } from "../output/render.ts";
import { confirmed, needPerson } from "../person.ts";
import { projectData } from "./projects.ts";

/** `remem link FROM INTO`: makes two projects one. */
export const linkCommand: CommandDefinition = {
  name: "link",
  summary: "make two projects one; without keys, what this folder's project may be, too",
  usage: "[FROM INTO]",
  words: { least: 0, most: 2 },
  options: {},
  notes: [
    "The memories and the names of FROM become those of INTO. It cannot be undone but by a backup, so it is done in a terminal only, after a question.",
    "A moved clone, a second clone without a remote, or a fork is another project until you say otherwise: two projects are never joined by themselves.",
  ],
  async run(call) {
    const { words, memory, world } = call;
    if (words.length === 1)
      throw usageError(
        "link needs two projects: whose memories move, and where to",
        `${world.program} projects lists the keys`,
      );
    if ((await memory.reading()) === undefined)
      return { exitCode: EXIT.nothing, blocks: [await noStore(memory)], data: { proposals: [] } };
    return words.length === 0 ? proposals(call) : link(call, words[0]!, words[1]!);
  },
};

async function proposals({ memory, world }: CommandCall): Promise<CommandOutcome> {
  const { aliases, evidence } = await memory.identity();
  const opened = await memory.writing();
  const found = await opened.state.resolveProject(aliases, evidence, world.clock.now());
  return {
    exitCode: found.proposals.length === 0 ? EXIT.nothing : EXIT.done,
    blocks:
      found.proposals.length === 0
        ? [`Nothing says that project ${found.project.key} is another one, too.`]
        : [
            `This folder is project ${found.project.key}. These may be the same:`,
            {
              head: ["key", "because", "known by"],
              rows: found.proposals.map(({ project, because }) => [project.key, because, names(project)]),
            },
            `To join one: ${world.program} link ${found.proposals[0]!.project.key} ${found.project.key}`,
          ],
    data: {
      project: projectData(found.project),
      proposals: found.proposals.map(({ project, because }) => ({ ...projectData(project), because })),
    },
  };
}

async function link({ memory, world }: CommandCall, from: string, into: string): Promise<CommandOutcome> {
  needPerson(world, "join projects");
  const opened = await memory.writing();
  const projects = await opened.state.projects();
  const find = async (key: string): Promise<ProjectRecord> => {
    const project = projects.find((one) => one.key === key);
    if (project !== undefined) return project;
    // What came from another program's database belongs to a project by its name only.
    const [one] = await opened.memories.list({ scope: { kind: "project", id: key } }, 1);
    if (one !== undefined) return { key, aliases: [], evidence: {}, seenAt: one.at };
    throw new CliError(
      "unknown_project",
      `there is no project with the key ${JSON.stringify(key)}`,
      `${world.program} projects lists the keys`,
      EXIT.nothing,
    );
  };
  const [source, target] = [await find(from), await find(into)];
  if (from === into) throw usageError(`${from} and ${into} are the same project`, "name two projects");
  await world.output.out(
    render([`${from} (${names(source)}) becomes a part of ${into} (${names(target)}).`], world.output),
  );
  if (!(await confirmed(world, "Join them?")))
    return { blocks: ["Nothing was joined."], data: { linked: false } };
  const moved = await opened.state.linkProjects(from, into);
  return {
    blocks: [`Joined: ${counted(moved, "memory", "memories")} moved to ${into}.`],
    data: { linked: true, moved, from, into },
  };
}

function names({ aliases }: ProjectRecord): string {
  return aliases.length === 0 ? "a name only" : aliases.map(({ value }) => value).join(", ");
}
