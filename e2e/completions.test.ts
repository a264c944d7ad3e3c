/** `pi completions` in real shells: keys are pressed on a terminal, and what the shell makes of the line is looked at. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  link,
  runProcess,
  startTerminal,
  type TerminalProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { userConfig } from "./support/mcp.ts";
import { builtPi, pi } from "./support/pi.ts";

const BASH = Bun.which("bash");
const ZSH = Bun.which("zsh");
const FISH = Bun.which("fish");

/** An environment in which `pi` is found. */
function environment(ws: Workspace): Record<string, string> {
  const bin = join(ws.home, "bin");
  ws.write(join(bin, "pi"), link(builtPi()));
  const base = ws.env();
  return { ...base, PATH: `${bin}:${base["PATH"]}`, PS1: "ready> ", HISTFILE: "" };
}

/** A shell with the completions loaded, and a command `show` that is completed like pi and prints its words. */
async function bash(ws: Workspace): Promise<TerminalProgram> {
  const shell = startTerminal([BASH!, "--norc", "--noprofile", "-i"], {
    cwd: ws.path,
    env: environment(ws),
    cols: 160,
    keyboard: "plain",
  });
  await shell.waitFor(endsReady);
  shell.type(
    'bind "set enable-bracketed-paste off"; eval "$(pi completions bash)"; show() { printf "<%s>" "$@"; echo; }; complete -o bashdefault -o default -F _pi_completions show; clear; echo loaded\n',
  );
  await shell.waitFor((program) => program.screen()[0] === "loaded" && endsReady(program));
  return shell;
}

/** Types the beginning of a line, completes it, runs it, and gives the words that the command got. */
async function completed(shell: TerminalProgram, typed: string, shown: string | RegExp): Promise<string> {
  shell.type(`show ${typed}\t`);
  await shell.waitFor(shown);
  shell.type("\n");
  const line = (program: TerminalProgram) => program.screen().findLast((row) => row.startsWith("<"));
  await shell.waitFor((program) => line(program) !== undefined && endsReady(program));
  const words = line(shell)!;
  shell.type("clear\n");
  await shell.waitFor((program) => line(program) === undefined && endsReady(program));
  return words;
}

function endsReady(program: TerminalProgram): boolean {
  return program.screen().findLast((row) => row !== "") === "ready>";
}

test.skipIf(BASH === null)(
  "bash completes commands, their forms, options and values (needs bash)",
  async () => {
    await using ws = await workspace();
    await using shell = await bash(ws);
    expect(await completed(shell, "sess", "sessions")).toBe("<sessions>");
    expect(await completed(shell, "sessions exp", "export")).toBe("<sessions><export>");
    expect(await completed(shell, "sessions export --form", "--format")).toBe("<sessions><export><--format>");
    expect(await completed(shell, "sessions export --format=ht", "--format=html")).toBe(
      "<sessions><export><--format=html>",
    );
    expect(await completed(shell, "--mode j", "json")).toBe("<--mode><json>");
  },
);

test.skipIf(BASH === null)(
  "names with colons, spaces, quotes and dollars come out of bash as they are, and nothing in them is run (needs bash)",
  async () => {
    const spec = 'it\'s $(touch pwned) "spec"';
    await using ws = await workspace({ [`specs/${spec}/plan.md`]: "", "my cert's.pem": "", afile: "" });
    userConfig(ws, {
      providers: {
        odd: {
          baseUrl: "http://127.0.0.1:1",
          wire: "openai-chat",
          apiKey: "k",
          models: [{ id: "big model:7b" }],
        },
      },
    });
    await using shell = await bash(ws);
    expect(await completed(shell, "run it", "spec")).toBe(`<run><${spec}>`);
    expect(await completed(shell, "run 'it", "spec")).toBe(`<run><${spec}>`);
    expect(await completed(shell, 'run "it', "spec")).toBe(`<run><${spec}>`);
    expect(await completed(shell, "--model odd/", "7b")).toBe("<--model><odd/big model:7b>");
    expect(await completed(shell, "--model=odd/big\\ model:", "7b")).toBe("<--model=odd/big model:7b>");
    expect(await completed(shell, "--ca-cert my", "pem")).toBe("<--ca-cert><my cert's.pem>");
    expect(await completed(shell, "acp af", "acp af")).toBe("<acp><af>");
    expect(ws.exists("pwned")).toBe(false);
  },
);

test.skipIf(ZSH === null)("zsh completes commands and values (needs zsh)", async () => {
  await using ws = await workspace();
  await using shell = startTerminal([ZSH!, "-f", "-i"], {
    cwd: ws.path,
    env: environment(ws),
    cols: 160,
    keyboard: "plain",
  });
  await shell.waitFor(endsReady);
  shell.type('autoload -U compinit; compinit -u -D; eval "$(pi completions zsh)"; clear; echo loaded\n');
  await shell.waitFor(/^loaded/m);
  shell.type("pi sess\t");
  await shell.waitFor("pi sessions ");
  shell.type("exp\t--format j\t");
  await shell.waitFor("pi sessions export --format json");
});

test.skipIf(FISH === null)("fish completes commands and values (needs fish)", async () => {
  await using ws = await workspace();
  const script = "source (pi completions fish | psub); complete -C 'pi sess'; complete -C 'pi --mode j'";
  const { stdout } = await runProcess([FISH!, "--no-config", "-c", script], {
    cwd: ws.path,
    env: environment(ws),
  });
  expect(stdout).toContain("sessions\t");
  expect(stdout).toContain("json");
});

test("every session of the project is offered by its id, with its title, and completions leave nothing behind", async () => {
  await using ws = await workspace();
  const before = ws.snapshotOf("home");
  const { stdout, stderr, code } = await pi(ws, ["completions", "candidates", "--", "sessions", "show", ""]);
  expect({ stdout, stderr, code }).toEqual({ stdout: "", stderr: "", code: 0 });
  expect(ws.snapshotOf("home")).toEqual(before);
});

test.each(["bash", "zsh", "fish"])(
  "the script for %s asks this pi, and says how it is loaded",
  async (shell) => {
    await using ws = await workspace();
    const { stdout, code } = await pi(ws, ["completions", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("completions");
    expect(stdout.split("\n").find((line) => line.includes("completion for pi"))).toStartWith("#");
  },
);

test("a shell without a script is a usage error that names those with one", async () => {
  await using ws = await workspace();
  const { code, stderr } = await pi(ws, ["completions", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("bash|zsh|fish");
});
