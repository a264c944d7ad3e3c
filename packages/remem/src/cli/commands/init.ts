import { CliError, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { describeFailure } from "../describe-failure.ts";
import { editSettings, type SettingEdit } from "../init/edit-settings.ts";
import { isPerson } from "../person.ts";
import { hasPassword, withoutPassword } from "../shown-storage.ts";

const ADDRESS_VARIABLE = "REMEM_DATABASE_URL";

/** `remem init`: writes the user's settings. */
export const initCommand: CommandDefinition = {
  name: "init",
  summary: "write the settings; nothing needs it, and it may be run again",
  usage: "[--storage sqlite|postgres] [--database-url URL|-] [--capture]",
  words: { least: 0, most: 0 },
  options: {
    storage: { value: "KIND", summary: "sqlite (a file, the default) or postgres (for teams)" },
    "database-url": { value: "URL", summary: "the address of PostgreSQL; - reads it from stdin" },
    capture: { summary: "let Pi and OpenCode remember what happens in them" },
    pi: { summary: "register with Pi (not in this version)" },
    opencode: { summary: "register with OpenCode (not in this version)" },
  },
  notes: [
    `An address with a password is never printed. Give it where no shell history keeps it: on stdin (--database-url -), which stores it in your settings (readable by you only), or in ${ADDRESS_VARIABLE}, which stores nothing: it counts wherever it is set.`,
    "Keys and comments that are in the file stay.",
  ],
  async run(call) {
    const { memory, flag } = call;
    for (const host of ["pi", "opencode"])
      if (flag(host))
        throw new CliError(
          "not_in_this_version",
          `registering with ${host === "pi" ? "Pi" : "OpenCode"} is not in this version: nothing was changed`,
          `leave --${host} out; pi-ts uses the same store without it`,
        );
    const edits = await editsOf(call);
    const file = memory.places.userConfig;
    const changed = await editSettings(file, edits);
    const { settings, problems } = await memory.config();
    memory.notices.push(...problems);
    const reached = await reachStore(call);
    return {
      blocks: [
        changed.length === 0
          ? `${file}: all of this was set already.`
          : `${file}: set ${changed.join(", ")}.`,
        `Memories are kept in ${settings.storage.kind === "postgres" ? withoutPassword(settings.storage.databaseUrl ?? "") : settings.storage.path}.`,
        `Capture is ${settings.capture.enabled ? "on" : "off (--capture switches it on)"}.`,
        ...(reached === undefined ? [] : [reached]),
      ],
      data: {
        file,
        changed,
        storage: settings.storage.kind,
        capture: settings.capture.enabled,
        reached: reached === undefined,
      },
    };
  },
};

async function editsOf(call: CommandCall): Promise<SettingEdit[]> {
  const { world, flag, value } = call;
  const storage = value("storage");
  if (storage !== undefined && storage !== "sqlite" && storage !== "postgres")
    throw usageError(`--storage ${JSON.stringify(storage)} is no kind of storage`, "kinds: sqlite, postgres");
  const address = await addressOf(call);
  if (address !== undefined && storage === "sqlite")
    throw usageError("--database-url is for postgres, and --storage says sqlite", "leave one of them out");
  const kind = storage ?? (address === undefined ? undefined : "postgres");
  const inEnvironment = (world.environment[ADDRESS_VARIABLE] ?? "") !== "";
  if (kind === "postgres" && address === undefined && !inEnvironment)
    throw usageError(
      "postgres needs an address",
      `give it on stdin: ${world.program} init --storage postgres --database-url -, or set ${ADDRESS_VARIABLE}`,
    );
  return [
    ...(kind === undefined ? [] : [{ path: ["storage", "kind"], value: kind }]),
    ...(address === undefined ? [] : [{ path: ["storage", "databaseUrl"], value: address }]),
    ...(flag("capture") ? [{ path: ["capture", "enabled"], value: true }] : []),
  ];
}

/** The address that was given, checked; it stands in no message. */
async function addressOf({ world, memory, value }: CommandCall): Promise<string | undefined> {
  const written = value("database-url");
  if (written === undefined) return undefined;
  if (written === "-" && world.input.isTerminal && isPerson(world))
    await world.output.err("The address (postgres://…), then Enter; it is shown while you type: ");
  const address = written === "-" ? ((await world.input.line()) ?? "").trim() : written;
  if (!/^postgres(ql)?:\/\/./i.test(address) || withoutPassword(address).startsWith("("))
    throw usageError("the address is none of PostgreSQL's", "write postgres://USER@HOST:PORT/DATABASE");
  if (written !== "-" && hasPassword(address))
    memory.notices.push(
      `the password stands in your shell's history now; better: --database-url - (from stdin), or ${ADDRESS_VARIABLE}`,
    );
  return address;
}

/** Undefined when the store answers, or is a file that is made later; else what is wrong, in words. */
async function reachStore({ memory }: CommandCall): Promise<string | undefined> {
  try {
    await memory.reading();
    return undefined;
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return `It does not answer yet: ${message} (${hint}).`;
  }
}
