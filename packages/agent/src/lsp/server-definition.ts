/** What a server is asked for. A kind of file may have one for each. */
export type ServerRole = "navigate" | "diagnose" | "format";

/** One language server, as data. Commands are looked for in the order given; extensions have their dot. */
export interface ServerDefinition {
  name: string;
  /** What people call the language, in messages. */
  language: string;
  /** Argument lists whose first word is looked for in PATH and in the usual folders; the first that is there is taken. */
  commands: readonly (readonly string[])[];
  /** The protocol's language id by extension. */
  languageIds: Readonly<Record<string, string>>;
  /** The nearest folder with one of these, within the project, is the root; else the project. */
  rootMarkers: readonly string[];
  roles: readonly ServerRole[];
  /** How to get it. */
  install: string;
  initializationOptions?: Readonly<Record<string, unknown>>;
  /** Answers to the server's questions for configuration, by section (dotted). */
  settings?: Readonly<Record<string, unknown>>;
  environment?: Readonly<Record<string, string>>;
  /**
   * Runs programs of the project to understand it (build scripts, its package manager's settings): only in a trusted project,
   * or where the user's own configuration says `untrusted: true`.
   */
  runsProject?: boolean;
  /** It takes its compiler from the project unless it is told of one (`tsserver.path`). */
  pinsTypeScript?: boolean;
  /** It runs a Python interpreter to find packages, and may look for one in the project (`python.pythonPath`). */
  runsPython?: boolean;
  /** It may lie in the project's own `node_modules/.bin`. */
  inProject?: boolean;
  /** It names the version in what it publishes of an open document. Of others this is learned with the first one that they name. */
  namesVersions?: boolean;
  /** A command of the server that checks the file as it is now: it never says for which version it publishes. */
  checks?: "tsserver";
  /** Files (in the root or above, within the project) that decide about formatting. */
  formatting?: {
    /** Without one of these its formatter would press a style of its own on the project. */
    needs?: readonly string[];
    /** The project is formatted by something else. */
    unless?: readonly string[];
    /** As well, where a package.json has settings for one of these, or depends on it. */
    unlessPackages?: readonly string[];
  };
}

/** What a user's configuration says of a server; `command` names a new one, or replaces that of a built-in one. */
export interface ServerSetting {
  command?: string;
  args?: readonly string[];
  extensions?: readonly string[];
  languageId?: string;
  rootMarkers?: readonly string[];
  initializationOptions?: Readonly<Record<string, unknown>>;
  settings?: Readonly<Record<string, unknown>>;
  env?: Readonly<Record<string, string>>;
  format?: boolean;
  disabled?: boolean;
  untrusted?: boolean;
}

/** The table with the user's settings laid over it: their own servers first, disabled ones left out. */
export function withSettings(
  table: readonly ServerDefinition[],
  settings: Readonly<Record<string, ServerSetting>>,
): ServerDefinition[] {
  const own: ServerDefinition[] = [];
  const rest: ServerDefinition[] = [];
  for (const definition of table) {
    const setting = Object.hasOwn(settings, definition.name) ? settings[definition.name] : undefined;
    if (setting?.disabled !== true) rest.push(setting ? changed(definition, setting) : definition);
  }
  for (const [name, setting] of Object.entries(settings))
    if (setting.disabled !== true && !table.some((definition) => definition.name === name))
      own.push(changed(blank(name), setting));
  return [...own, ...rest];
}

function blank(name: string): ServerDefinition {
  return {
    name,
    language: name,
    commands: [[name]],
    languageIds: {},
    rootMarkers: [],
    roles: ["navigate", "diagnose", "format"],
    install: `put "${name}" into PATH, or set its command in the configuration`,
  };
}

function changed(definition: ServerDefinition, setting: ServerSetting): ServerDefinition {
  const { command, args, extensions, languageId } = setting;
  const [first = []] = definition.commands;
  const languageIds =
    extensions === undefined
      ? definition.languageIds
      : Object.fromEntries(
          extensions.map((extension) => {
            const dotted = extension.startsWith(".") ? extension : `.${extension}`;
            return [dotted, languageId ?? definition.languageIds[dotted] ?? dotted.slice(1)];
          }),
        );
  return {
    ...definition,
    languageIds,
    ...(command === undefined && args === undefined
      ? {}
      : { commands: [[command ?? first[0] ?? definition.name, ...(args ?? first.slice(1))]] }),
    ...(setting.rootMarkers === undefined ? {} : { rootMarkers: setting.rootMarkers }),
    ...(setting.initializationOptions === undefined
      ? {}
      : { initializationOptions: laidOver(definition.initializationOptions, setting.initializationOptions) }),
    ...(setting.settings === undefined ? {} : { settings: laidOver(definition.settings, setting.settings) }),
    ...(setting.env === undefined ? {} : { environment: { ...definition.environment, ...setting.env } }),
    ...(setting.untrusted === true ? { runsProject: false } : {}),
    ...(setting.format === undefined
      ? {}
      : setting.format
        ? { formatting: {}, roles: [...new Set([...definition.roles, "format" as const])] }
        : { roles: definition.roles.filter((role) => role !== "format") }),
  };
}

/** Objects merge key by key; everything else is replaced. */
function laidOver(base: unknown, over: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(over))
    merged[key] = isRecord(value) ? laidOver(merged[key], value) : value;
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
