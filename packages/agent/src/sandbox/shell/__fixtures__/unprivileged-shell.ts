// Uses a confined shell as whoever runs it and prints what happened. Arguments: project, home.
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry } from "../../../platform/processes/registry.ts";
import { until } from "../../../platform/processes/test-support/until.ts";
import { createShell } from "../shell.ts";
import { runCommand } from "../test-support/command-run.ts";

const [root = "", home = ""] = process.argv.slice(2);
const processes = createProcessRegistry({ environment: process.env, ownerId: `plain-${process.pid}`, clock: systemClock });
const shell = createShell({
  tier: "workspace-write",
  network: true,
  root,
  home: { user: home, root: `${home}/.pi-go` },
  processes,
});
const run = await runCommand(shell, "id -u; cat .env; echo x > a.txt && echo ok; touch /etc/x", root);
const server = await shell.start("sleep 616 & echo up; wait", { cwd: root });
for await (const _ of server.stdout) break;
const labels = () => (server.survivorLabels?.() ?? []).map((label) => label.replace(/^\d+ /, ""));
await until(() => labels().includes("sleep 616"));
const left = labels().find((label) => label === "sleep 616");
await server.end(1_000);
const survivors = server.survivors().length;
process.stdout.write(
  JSON.stringify({ active: shell.confinement.active, stdout: run.stdout, left, survivors, reason: shell.confinement.reason }),
);
await processes.endAll();
process.exit(0);
