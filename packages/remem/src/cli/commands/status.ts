import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { hostLine, hostStatuses } from "../doctor/check-hosts.ts";
import { counted } from "../output/memory-view.ts";
import { shownStorage } from "../shown-storage.ts";

/** `remem status`: what is there, at a glance. */
export const statusCommand: CommandDefinition = {
  name: "status",
  summary: "what is there, at a glance",
  usage: "",
  words: { least: 0, most: 0 },
  options: {},
  notes: ["doctor looks deeper and says what to do."],
  async run(call) {
    const { memory, world } = call;
    const { settings, files, problems } = await memory.config();
    const opened = await memory.reading();
    const status = await opened?.memories.status();
    const { project } = await memory.context();
    const engine = opened === undefined ? undefined : await memory.engine(opened);
    const vectors = await engine?.vectorStatus();
    memory.notices.push(...problems);
    const waiting = status?.byState.candidate ?? 0;
    const outbox = await pendingFiles(call);
    const hosts = await hostStatuses(call);
    const rows: (readonly [string, string])[] = [
      ["memory", settings.enabled ? "on" : "off (switched off in the settings)"],
      ["capture", settings.capture.enabled ? "on" : "off in the settings (a host may switch it on)"],
      [
        "store",
        `${settings.storage.kind}: ${shownStorage(settings.storage)}${opened === undefined ? " (not there yet)" : ""}`,
      ],
      ["memories", status === undefined ? "none" : memoriesLine(status.memories, status.byState)],
      ["for review", waiting === 0 ? "nothing" : `${counted(waiting, "candidate")}: ${world.program} review`],
      ["sessions", String(status?.sessions ?? 0)],
      ["vectors", vectors === undefined ? "none: only words are compared" : vectorsLine(vectors)],
      ["project", project === "" ? "not known yet: nothing is remembered of it" : project],
      [
        "not stored yet",
        outbox === 0 ? "nothing" : `${counted(outbox, "file")} of running or ended programs`,
      ],
      [
        "settings",
        files.length === 0 ? `built-in (${memory.places.userConfig} is not there)` : files.join(", "),
      ],
      ...hosts.map((host) => [host.title, hostLine(host.status)] as const),
    ];
    return {
      blocks: [{ head: [], rows }],
      data: {
        enabled: settings.enabled,
        capture: settings.capture.enabled,
        storage: {
          kind: settings.storage.kind,
          place: shownStorage(settings.storage),
          exists: opened !== undefined,
        },
        memories: status?.memories ?? 0,
        by_state: { ...status?.byState },
        sessions: status?.sessions ?? 0,
        vectors:
          vectors === undefined
            ? null
            : {
                space: vectors.fingerprint,
                settled: vectors.settled,
                memories: vectors.memories,
                trouble: vectors.trouble ?? null,
              },
        project: project === "" ? null : project,
        outbox_files: outbox,
        settings_files: files,
        hosts: Object.fromEntries(
          hosts.map(({ name, status: { registered, file, loaded, problems: found } }) => [
            name,
            {
              registered,
              settings_file: file,
              loaded: loaded === null ? null : { ...loaded },
              problems: found.map((problem) => ({ ...problem })),
            },
          ]),
        ),
        problems,
      },
    };
  },
};

/** How many files hold what was captured and is not in the store yet. */
export async function pendingFiles({ memory }: Pick<CommandCall, "memory">): Promise<number> {
  const { storage } = (await memory.config()).settings;
  const store = storage.kind === "postgres" ? memory.places.defaultStore : storage.path;
  const folder = join(dirname(store), "outbox");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")).length : 0;
}

/** How far vectors are, in words. */
export function vectorsLine({
  settled,
  memories,
  trouble,
}: {
  readonly settled: number;
  readonly memories: number;
  readonly trouble: string | undefined;
}): string {
  return `${settled} of ${memories}${trouble === undefined ? "" : ` (${trouble})`}`;
}

function memoriesLine(all: number, byState: Readonly<Partial<Record<string, number>>>): string {
  const states = Object.entries(byState).filter(([, count]) => (count ?? 0) > 0);
  return states.length < 2
    ? String(all)
    : `${all}: ${states.map(([state, count]) => `${count} ${state}`).join(", ")}`;
}
