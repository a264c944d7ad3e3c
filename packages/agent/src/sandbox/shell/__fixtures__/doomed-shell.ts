// An agent with a confined server, to be killed. Arguments: project, home.
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry } from "../../../platform/processes/registry.ts";
import { createShell } from "../shell.ts";

const [root = "", home = ""] = process.argv.slice(2);
const processes = createProcessRegistry({
  environment: process.env,
  ownerId: `doomed-${process.pid}`,
  clock: systemClock,
});
const shell = createShell({
  tier: "workspace-write",
  network: true,
  root,
  home: { user: home, root: `${home}/.pi-go` },
  processes,
});
const child = await shell.start("(setsid sleep 613 &); sleep 613 & env -i setsid sleep 613 & echo up; wait", { cwd: root });
for await (const _ of child.stdout) break;
process.stdout.write(`ready ${shell.confinement.active}\n`);
setInterval(() => undefined, 1_000);
