import type { MemoryScope } from "../core/memory/scope.ts";
import type { OpenedStore } from "../runtime/memory.ts";
import { CliError, EXIT } from "./cli-error.ts";
import type { CommandCall } from "./command.ts";

/** The project that was named: `.` is the current folder's. Rejects for one that the store does not know. */
export async function namedProject(
  written: string,
  { memory, world }: Pick<CommandCall, "memory" | "world">,
  { state }: OpenedStore,
): Promise<MemoryScope> {
  if (written === ".") {
    const { project } = await memory.context();
    if (project !== "") return { kind: "project", id: project };
    throw new CliError(
      "unknown_project",
      `nothing is remembered of the project at ${world.cwd}`,
      `${world.program} projects lists the projects that are known`,
      EXIT.nothing,
    );
  }
  const projects = await state.projects();
  const found = projects.find(({ key }) => key === written);
  if (found !== undefined) return { kind: "project", id: found.key };
  throw new CliError(
    "unknown_project",
    `there is no project with the key ${JSON.stringify(written)}`,
    `${world.program} projects lists the keys`,
    EXIT.nothing,
  );
}

/** Where the project of a folder, and what holds everywhere, are read. */
export async function usualScopes({ memory }: Pick<CommandCall, "memory">): Promise<MemoryScope[]> {
  const { project } = await memory.context();
  return [{ kind: "global" }, ...(project === "" ? [] : [{ kind: "project", id: project } as const])];
}
