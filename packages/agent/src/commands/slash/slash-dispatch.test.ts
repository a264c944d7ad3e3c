import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import { nearNames } from "../../platform/near-names.ts";
import { completeSlashArgument, runSlashCommand } from "./slash-dispatch.ts";
import { SLASH_INFOS } from "./slash-infos.ts";
import type { SlashPorts } from "./slash-ports.ts";
import { ScriptedDialogs, wordsOf } from "./test-support/scripted-dialogs.ts";

const basics = {
  near: nearNames,
  help: { commands: () => SLASH_INFOS },
  extensions: { has: (name: string) => name === "greet", run: () => Promise.resolve() },
};

async function send(
  line: string,
  ports: object = {},
  options: { idle?: () => Promise<boolean>; abort?: boolean } = {},
) {
  const [name = "", ...rest] = line.slice(1).split(" ");
  const controller = new AbortController();
  if (options.abort) controller.abort();
  const outcome = await runSlashCommand(
    { name, argument: rest.join(" "), idle: options.idle ?? (() => Promise.resolve(true)) },
    {
      ports: { ...basics, ...ports } as unknown as SlashPorts,
      dialogs: new ScriptedDialogs([]),
      signal: controller.signal,
    },
  );
  return { said: wordsOf(outcome.blocks), failed: outcome.failed ?? false };
}

test("a mistyped command is answered with the near ones", async () => {
  expect(await send("/modle")).toEqual({
    said: "There is no command /modle.\nDid you mean /model?",
    failed: true,
  });
});

test("a name that is near nothing is answered with /help", async () => {
  expect((await send("/xyzzyplugh")).said).toContain("/help lists all commands");
});

test.each(["/clear", "/model", "/compact", "/resume x", "/branch", "/commit", "/restart"])(
  "%s waits for the answer in progress, and is not run when the person stops that",
  async (line) => {
    const over = Promise.withResolvers<boolean>();
    const sent = send(line, {}, { idle: () => over.promise });
    over.resolve(false);
    expect(await sent).toEqual({ said: "", failed: false });
  },
);

test("a command that waited runs when the answer is over", async () => {
  const stood: string[] = [];
  const over = Promise.withResolvers<boolean>();
  const ports = {
    session: {
      stand: () => {
        stood.push("asked");
        throw new PiError({ code: "starting", message: "not open" });
      },
    },
  };
  const sent = send("/clear", ports, { idle: () => over.promise });
  expect(stood).toEqual([]);
  over.resolve(true);
  await sent;
  expect(stood).toEqual(["asked"]);
});

test("other commands run while an answer is in progress", async () => {
  const ports = { program: { quit: () => undefined } };
  const never = () => new Promise<boolean>(() => undefined);
  expect((await send("/quit", ports, { idle: never })).failed).toBe(false);
});

test("what a port refuses is shown with its hint", async () => {
  const stand = () => {
    throw new PiError({ code: "starting", message: "the session is not open yet", hint: "Try again." });
  };
  expect(await send("/clear", { session: { stand } })).toEqual({
    said: "the session is not open yet\nTry again.",
    failed: true,
  });
});

test("a defect is no outcome", async () => {
  const stand = () => {
    throw new TypeError("a defect");
  };
  await expect(send("/clear", { session: { stand } })).rejects.toThrow("a defect");
});

test("what is thrown because of Esc says that it was stopped", async () => {
  const report = async () => {
    throw new DOMException("aborted", "AbortError");
  };
  expect(await send("/context", { context: { report } }, { abort: true })).toEqual({
    said: "/context was stopped.",
    failed: false,
  });
});

test("completions come from the command, and a port that fails gives none", async () => {
  const signal = new AbortController().signal;
  const ports = basics as unknown as SlashPorts;
  expect(await completeSlashArgument("notify", "b", ports, signal)).toEqual([
    { value: "bell", label: "bell", description: "the terminal's bell" },
  ]);
  expect(await completeSlashArgument("clear", "", ports, signal)).toEqual([]);
  const list = async () => {
    throw new PiError({ code: "x", message: "no" });
  };
  expect(
    await completeSlashArgument(
      "resume",
      "",
      { ...ports, sessions: { list } } as unknown as SlashPorts,
      signal,
    ),
  ).toEqual([]);
});

test("a command of an extension runs where no command of ours has the name", async () => {
  expect(await send("/greet Ada")).toEqual({ said: "", failed: false });
});
