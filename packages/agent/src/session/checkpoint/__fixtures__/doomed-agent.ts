// An agent that is killed at one point of a turn. Arguments: project, folder of sessions, the point.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileDoor } from "../../../sandbox/files/file-door.ts";
import { createPlaceDoor } from "../../../sandbox/files/place-door.ts";
import { SessionStore } from "../../session-store.ts";
import { user } from "../../test-support/sessions.ts";
import { CheckpointRecorder } from "../recorder.ts";

const [root = "", sessions = "", point = ""] = process.argv.slice(2);
const dieAt = (name: string) => {
  if (name === point) process.kill(process.pid, "SIGKILL");
};
const store = new SessionStore({ root: sessions, now: Date.now, onNotice: () => undefined });
const session = store.create({ cwd: root, mode: "print", model: "m", provider: "p" });
const files = createFileDoor({ root });
const recorder = new CheckpointRecorder({
  session,
  files,
  places: createPlaceDoor(files.root),
  project: null,
  onProblem: () => undefined,
});

session.append(user("go"));
await recorder.before({ id: "1", name: "write", kind: "edit", input: { file_path: "a.txt" } });
dieAt("before the edit");
files.write("a.txt", Buffer.from("two"));
dieAt("after the edit");
recorder.appended({ role: "tool", parts: [{ type: "tool_result", id: "1", name: "write", content: [], isError: false }] });
dieAt("after the result");
recorder.noteSeen("b.txt");
await recorder.before({ id: "2", name: "bash", kind: "run", input: { command: "" } });
dieAt("before the command");
writeFileSync(join(root, "a.txt"), "three");
appendFileSync(join(root, "b.txt"), "half");
dieAt("in the command");
await recorder.after("2");
dieAt("after the command");
