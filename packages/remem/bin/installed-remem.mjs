#!/usr/bin/env node
// The command `remem` of the published package: runs it on this Node. Nothing of the current folder is looked at.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `remem: Node ${process.versions.node} is too old for this package: SQLite is missing in it\n  use Node 22.19 or newer, or the executable of remem, which needs no Node\n`,
  );
  process.exit(1);
}
// That SQLite is young in Node is nothing that the user can act on.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`);
});
await import("../dist/lib/main.js");
