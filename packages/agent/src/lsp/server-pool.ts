import { existsSync } from "node:fs";
import { delimiter, dirname, extname, isAbsolute, join } from "node:path";
import type { NotLooked } from "../contract/language-servers.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import { type FoundProgram, findProgram, type SearchPlaces, safePath } from "./find-program.ts";
import type { LanguageServer, StartedServer } from "./language-server.ts";
import type { LanguageServerLimits } from "./limits.ts";
import { hasAbove, rootFor, usesPackage } from "./project-root.ts";
import { pythonFor, withPython } from "./python-interpreter.ts";
import type { ServerDefinition, ServerRole } from "./server-definition.ts";
import { ServerSlot } from "./server-slot.ts";

export interface PoolParts {
  definitions: readonly ServerDefinition[];
  places: SearchPlaces;
  processes: ProcessDoor;
  clock: Clock;
  limits: LanguageServerLimits;
  onReady(server: LanguageServer): void;
}

type StartServer = typeof import("./language-server.ts").startServer;

/** A server that fits a file. */
interface Choice {
  definition: ServerDefinition;
  program: FoundProgram;
  root: string;
}

/** All servers of a session: one for each definition and root. */
export class ServerPool {
  readonly #parts: PoolParts;
  readonly #slots = new Map<string, ServerSlot>();

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /** What people call the language of a file; null for a kind of file that no server is known for. */
  languageOf(path: string): string | null {
    return this.#fitting(path)[0]?.language ?? null;
  }

  /** The place of the server that plays a role for a file (an absolute path in the project), or why there is none. Starts nothing. */
  slotFor(path: string, role: ServerRole): ServerSlot | NotLooked {
    const choice = this.#choose(path, role);
    if ("state" in choice) return choice;
    const { definition, root } = choice;
    const key = `${definition.name}\0${root}`;
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = new ServerSlot({
        name: definition.name,
        // The protocol's own code is loaded with the first server.
        load: async () => {
          const { startServer } = await import("./language-server.ts");
          return () => this.#start(choice, startServer);
        },
        clock: this.#parts.clock,
        limits: this.#parts.limits,
        onReady: (server) => this.#parts.onReady(server),
      });
      this.#slots.set(key, slot);
    }
    return slot;
  }

  /** Whether the project wants this file to be formatted by a language server, as far as its files tell. */
  formats(path: string): boolean {
    const definition = this.#fitting(path).find(({ roles }) => roles.includes("format"));
    const { needs, unless = [], unlessPackages = [] } = definition?.formatting ?? {};
    const { project } = this.#parts.places;
    if (definition === undefined || hasAbove(path, project, unless)) return false;
    if (usesPackage(path, project, unlessPackages)) return false;
    return needs === undefined || hasAbove(path, project, needs);
  }

  /** The servers that are ready now. */
  running(): LanguageServer[] {
    return [...this.#slots.values()].flatMap((slot) => slot.ready ?? []);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  #fitting(path: string): ServerDefinition[] {
    const extension = extname(path).toLowerCase();
    return this.#parts.definitions.filter(({ languageIds }) => Object.hasOwn(languageIds, extension));
  }

  #choose(path: string, role: ServerRole): Choice | NotLooked {
    const { places } = this.#parts;
    const fitting = this.#fitting(path).filter(({ roles }) => roles.includes(role));
    let untrusted: NotLooked | undefined;
    for (const definition of fitting) {
      const root = rootFor(path, places.project, definition.rootMarkers);
      const program = findProgram(definition, root, places);
      if (program === null) continue;
      const needsTrust = this.#needsTrust(definition, program, root);
      if (needsTrust === null) return { definition, program, root };
      untrusted ??= needsTrust;
    }
    return untrusted ?? missing(path, fitting);
  }

  #needsTrust(definition: ServerDefinition, program: FoundProgram, root: string): NotLooked | null {
    if (this.#parts.places.trusted) return null;
    const pinned = definition.pinsTypeScript !== true || ownTypeScript(program) !== null;
    const foreign = !pinned && hasAbove(join(root, "x"), this.#parts.places.project, ["node_modules"]);
    const unpinned = definition.runsPython === true && pythonFor(root, this.#parts.places) === null;
    if (definition.runsProject !== true && !foreign && !unpinned) return null;
    return {
      state: "not_looked",
      code: "not_trusted",
      reason: `${definition.name} runs programs of the project, and this project is not trusted`,
      hint: "The user can start pi with --trust, or allow it for every project in their own configuration.",
    };
  }

  #start({ definition: known, program, root }: Choice, startServer: StartServer): StartedServer {
    const { places, processes, clock, limits } = this.#parts;
    const definition = known.runsPython ? withPython(known, pythonFor(root, places)) : known;
    const child = processes.start({
      argv: program.argv,
      cwd: root,
      env: {
        ...definition.environment,
        ...(places.trusted ? {} : { PATH: safePath(places).join(delimiter) }),
      },
      stdin: "pipe",
      label: `${definition.name} (language server)`,
    });
    const tsserver = definition.pinsTypeScript && !places.trusted ? ownTypeScript(program) : null;
    const options = definition.initializationOptions ?? {};
    const initializationOptions =
      tsserver === null
        ? options
        : { ...options, tsserver: { ...(options["tsserver"] as object | undefined), path: tsserver } };
    return startServer({ definition, root, child, clock, initializationOptions }, limits.initializeMs);
  }
}

function missing(path: string, fitting: readonly ServerDefinition[]): NotLooked {
  const [first] = fitting;
  if (first === undefined) {
    const kind = extname(path) || "such";
    return {
      state: "not_looked",
      code: "no_server",
      reason: `no language server is known for ${kind} files`,
    };
  }
  const names = fitting.map(({ commands: [command], name }) => command?.[0] ?? name);
  const several = names.length > 1 ? `none of ${names.join(", ")} is` : `${names[0]} is not`;
  return {
    state: "not_looked",
    code: "no_server",
    reason: `no language server for ${first.language} was found: ${several} installed`,
    hint: `To install one: ${first.install}`,
  };
}

/** The compiler beside the server (or beside the script that an interpreter runs), for a project whose own must not run. */
function ownTypeScript({ real, argv }: FoundProgram): string | null {
  for (const start of [real, ...argv.filter((word) => isAbsolute(word))])
    for (let folder = dirname(start); folder !== dirname(folder); folder = dirname(folder)) {
      const file = join(folder, "node_modules", "typescript", "lib", "tsserver.js");
      if (existsSync(file)) return file;
    }
  return null;
}
