// Puts a program in the place of this launcher.
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Runs `argv` with our terminal, environment and exit code. Where this Node can, the program replaces this process; else we end after it. */
export function start(argv) {
  // Bun reads options of its own from it.
  const environment = { ...process.env };
  delete environment.BUN_OPTIONS;

  if (typeof process.execve === "function" && process.platform !== "win32")
    process.execve(argv[0], argv, environment);

  const child = spawn(argv[0], argv.slice(1), { stdio: "inherit", env: environment });
  // The terminal sends Ctrl+C to the whole group; what is sent to us alone is handed on. We end only after the child.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  child.on("error", (error) => {
    process.stderr.write(`pi-ts: cannot start ${argv[0]}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1));
  });
}
