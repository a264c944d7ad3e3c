import type { OwnedProcess, ProcessDoor } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { COMMAND_ENVIRONMENT } from "./command-environment.ts";
import { namedSubshells } from "./subshell-label.ts";

/** bash reads its command byte by byte from a pipe; longer ones are better off as an argument of their own bash. */
const LONGEST_COMMAND = 4_096;

const MOVES_OUTPUTS = process.platform !== "win32";

/**
 * Waits for a folder and a command, gives its stdin up for /dev/null, and becomes the command's shell: nothing of ours is
 * left in it but `eval`. `builtin` and `command`, since people export functions by the names of builtins.
 */
const WAIT = [
  ...(MOVES_OUTPUTS ? ["command exec 1>&3 2>&4 3>&- 4>&-"] : []),
  "IFS= builtin read -r -d '' pi_folder && IFS= builtin read -r -d '' pi_command || builtin exit 0",
  "command exec </dev/null",
  'builtin cd -- "$pi_folder" || builtin exit 126',
  'builtin eval "builtin unset pi_folder pi_command;$pi_command"',
  // One line, so that bash counts the command's lines from 1 in what it complains of.
].join("; ");

/**
 * Keeps one bash started ahead, so that a command does not wait for a process to start: that happens while the model
 * thinks. What runs is the same as with a bash of its own. The waiting one belongs to the registry and ends with it.
 */
export class WaitingBash {
  readonly #processes: ProcessDoor;
  readonly #bash: string;
  readonly #clock: Clock;
  #waiting: OwnedProcess | null = null;

  constructor(processes: ProcessDoor, bash: string, clock: Clock) {
    this.#processes = processes;
    this.#bash = bash;
    this.#clock = clock;
  }

  /** Runs `command` in `cwd` in the bash that waits, and starts the next one; null when none waits for such a command. */
  run(command: string, cwd: string): OwnedProcess | null {
    const fits = Buffer.byteLength(command) <= LONGEST_COMMAND && !/\0/.test(command + cwd);
    const child = fits ? this.#waiting : null;
    if (child !== null) {
      this.#waiting = null;
      child.stdin?.end(`${cwd}\0${command}\0`);
    }
    // Not at once: the command is waited for, the next one is not.
    setImmediate(() => this.#prepare(cwd));
    return child === null ? null : named(child, command, this.#clock.now());
  }

  #prepare(cwd: string): void {
    if (this.#waiting !== null) return;
    let child: OwnedProcess;
    try {
      child = this.#processes.start({
        argv: [this.#bash, "--norc", "--noprofile", "-c", WAIT, this.#bash],
        cwd,
        env: COMMAND_ENVIRONMENT,
        stdin: "pipe",
        movesOutputs: MOVES_OUTPUTS,
        label: "bash (waits for a command)",
      });
    } catch {
      return; // the next command starts its own and tells what is wrong
    }
    this.#waiting = child;
    // Somebody killed it: the next command must not be given to it.
    void child.exited.then(() => {
      if (this.#waiting !== child) return;
      this.#waiting = null;
      // Nobody reads them, and only what is read ends.
      child.detachStreams();
    });
  }
}

/** The same process under the name of what it runs now. */
function named(child: OwnedProcess, label: string, startedAt: number): OwnedProcess {
  return Object.create(child, {
    label: { value: label },
    startedAt: { value: startedAt },
    stdin: { value: null },
    survivorLabels: { value: () => namedSubshells(child.survivorLabels?.() ?? [], WAIT) },
  }) as OwnedProcess;
}
