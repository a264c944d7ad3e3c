import { CliError, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { describeFailure } from "../describe-failure.ts";
import type { HostRegistration, Registered } from "../hosts/host-registration.ts";
import { HOSTS } from "../hosts/host-table.ts";
import { hostWorld } from "../hosts/host-world.ts";
import { editSettings, type SettingEdit } from "../init/edit-settings.ts";
import { isPerson } from "../person.ts";
import { hasPassword, withoutPassword } from "../shown-storage.ts";

const ADDRESS_VARIABLE = "REMEM_DATABASE_URL";

type HostInfo = Pick<HostRegistration, "name" | "title">;

/** `remem init`: writes the user's settings. */
export const initCommand: CommandDefinition = {
  name: "init",
  summary: "write the settings; nothing needs it, and it may be run again",
  usage: "[--storage sqlite|postgres] [--database-url URL|-] [--capture] [--pi] [--opencode]",
  words: { least: 0, most: 0 },
  options: {
    storage: { value: "KIND", summary: "sqlite (a file, the default) or postgres (for teams)" },
    "database-url": { value: "URL", summary: "the address of PostgreSQL; - reads it from stdin" },
    capture: { summary: "let Pi and OpenCode remember what happens in them" },
    pi: { summary: "put this memory into Pi's settings" },
    opencode: { summary: "put this memory into OpenCode's settings" },
  },
  notes: [
    `An address with a password is never printed. Give it where no shell history keeps it: on stdin (--database-url -), which stores it in your settings (readable by you only), or in ${ADDRESS_VARIABLE}, which stores nothing: it counts wherever it is set.`,
    "Keys and comments that are in the file stay.",
  ],
  async run(call) {
    const { memory } = call;
    const edits = await editsOf(call);
    const registered = await registerHosts(call);
    const file = memory.places.userConfig;
    // Who only registers a host has said nothing of the settings.
    const isOnlyHosts = edits.length === 0 && registered.length > 0;
    const changed = isOnlyHosts ? [] : await editSettings(file, edits);
    const { settings, problems } = await memory.config();
    memory.notices.push(...problems);
    const reached = await reachStore(call);
    return {
      blocks: [
        ...(isOnlyHosts
          ? []
          : [
              `${file}: ${changed.length === 0 ? "all of this was set already" : `set ${changed.join(", ")}`}.`,
            ]),
        `Memories are kept in ${settings.storage.kind === "postgres" ? withoutPassword(settings.storage.databaseUrl ?? "") : settings.storage.path}.`,
        `Capture is ${settings.capture.enabled ? "on" : "off (--capture switches it on)"}.`,
        ...(reached === undefined ? [] : [reached]),
        ...registered.flatMap(({ title, file: place, added, notes }) => [
          added.length === 0
            ? `${title}: registered already in ${place}.`
            : `${title}: ${place} has ${added.join(", ")} now.`,
          ...notes,
        ]),
      ],
      data: {
        file,
        changed,
        storage: settings.storage.kind,
        capture: settings.capture.enabled,
        reached: reached === undefined,
        hosts: Object.fromEntries(
          registered.map(({ name, file: place, added, notes }) => [
            name,
            { file: place, added: [...added], notes: [...notes] },
          ]),
        ),
      },
    };
  },
};

/** Registers with the hosts that were named. What fails there changes none of our own settings. */
async function registerHosts(call: CommandCall): Promise<readonly (HostInfo & Registered)[]> {
  const world = hostWorld(call);
  const done: (HostInfo & Registered)[] = [];
  for (const [host, load] of Object.entries(HOSTS)) {
    if (!call.flag(host)) continue;
    const registration = await load();
    const { name, title } = registration;
    try {
      done.push({ name, title, ...(await registration.register(world)) });
    } catch (error) {
      throw afterOthers(error, done);
    }
  }
  return done;
}

/** The failure of a host, with what was done for others before it. */
function afterOthers(error: unknown, done: readonly (HostInfo & Registered)[]): unknown {
  if (done.length === 0) return error;
  const { code, message, hint, exitCode } = describeFailure(error);
  const before = done.map(({ title, file }) => `${title} is registered in ${file}`).join(", ");
  return new CliError(code, `${message} (${before})`, hint, exitCode);
}

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
