import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Callbacks } from "../contract/callbacks.ts";
import type { FileDoor } from "../contract/files.ts";
import type { Message } from "../contract/messages.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { CheckpointRecorder } from "../session/checkpoint/recorder.ts";
import type { Session } from "../session/session.ts";

/** Written by the recorder while a command runs: if it is there at the start, a process was killed in the middle of one. */
const LEFT_BEHIND = join("checkpoints", "pending.json");

export interface CheckpointParts {
  session: Session;
  files: FileDoor;
  processes: ProcessDoor;
  /** Also look around commands for what they changed; that costs each of them some milliseconds. */
  watchCommands: boolean;
  onProblem(message: string): void;
}

/** Checkpoints around the tools, loaded with the first call that may change a file. */
export interface Checkpoints {
  callbacks: Callbacks;
  /** Around each message that goes into the conversation. */
  appending(message: Message): void;
  appended(message: Message): void;
  /** Keeps what these files are like, then lets them be written: by something that is no call of a tool. Rejects as `write` does. */
  around<T>(paths: readonly string[], write: () => Promise<T>): Promise<T>;
  /** Loads what is needed to go back. */
  recorder(): Promise<CheckpointRecorder>;
  /** Writes what is left, and forgets contents that nothing needs; before the session is closed. Never rejects. */
  close(): Promise<void>;
}

export async function lateCheckpoints(parts: CheckpointParts): Promise<Checkpoints> {
  let loaded: CheckpointRecorder | undefined;
  let loading: Promise<CheckpointRecorder> | undefined;
  const recorder = (): Promise<CheckpointRecorder> => {
    loading ??= load(parts).then((made) => {
      loaded = made;
      return made;
    });
    return loading;
  };
  const { folder } = parts.session;
  let writings = 0;
  // What is found there belongs before the next message.
  if (folder !== null && existsSync(join(folder, LEFT_BEHIND))) await recorder();
  return {
    callbacks: {
      name: "checkpoints",
      async beforeTool(call) {
        if (call.kind === "edit" || (call.kind === "run" && parts.watchCommands))
          await (await recorder()).before(call);
        else if (typeof call.input["file_path"] === "string") loaded?.noteSeen(call.input["file_path"]);
        return undefined;
      },
      async afterTool(call) {
        if (call.kind === "run" && parts.watchCommands) await loaded?.after(call.id);
        return undefined;
      },
    },
    async around(paths, write) {
      // Nobody can go back to before the first message.
      if (paths.length === 0 || parts.session.messages().length === 0) return await write();
      const id = `writing-${++writings}`;
      const made = await recorder();
      await made.beforeWriting(id, paths);
      try {
        return await write();
      } finally {
        await made.after(id);
      }
    },
    appending: (message) => loaded?.appending(message),
    appended: (message) => loaded?.appended(message),
    recorder,
    close: async () => loaded?.close(),
  };
}

async function load({ session, files, processes, onProblem }: CheckpointParts): Promise<CheckpointRecorder> {
  const [{ CheckpointRecorder }, { createPlaceDoor }, { projectChanges }] = await Promise.all([
    import("../session/checkpoint/recorder.ts"),
    import("../sandbox/files/place-door.ts"),
    import("./project-changes.ts"),
  ]);
  const project = projectChanges({ files, processes, onProblem });
  return new CheckpointRecorder({ session, files, places: createPlaceDoor(files.root), project, onProblem });
}
