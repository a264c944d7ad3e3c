// Starts children as the agent does, says so, and waits to be killed. Arguments: owner id, folder.
import { systemClock } from "../../clock.ts";
import { createProcessRegistry } from "../registry.ts";

const [ownerId = "", cwd = "/"] = process.argv.slice(2);
const registry = createProcessRegistry({ environment: process.env, ownerId, clock: systemClock });
// One child in our group's tree, one that ignores everything, one that moved to a session of its own, one without our mark.
const child = registry.start({
  argv: [
    "sh",
    "-c",
    "trap '' TERM HUP; (setsid sh -c 'echo away; sleep 600' &); env -i sleep 600 & sleep 600 & echo here; wait",
  ],
  cwd,
  label: "children",
});
let said = "";
for await (const bytes of child.stdout) {
  said += Buffer.from(bytes).toString();
  if (said.includes("here") && said.includes("away")) break;
}
process.stdout.write("ready\n");
setInterval(() => undefined, 1_000);
