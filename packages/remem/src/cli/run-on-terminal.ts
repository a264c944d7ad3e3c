import { spawn } from "node:child_process";

/** Runs a command line in the user's shell, on the user's terminal, and gives its exit code. Rejects when the shell cannot be started. */
export function runOnTerminal(commandLine: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(commandLine, { shell: true, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
