import type { CommandDefinition, CommandResult } from "../contract/command.ts";
import type { JsonObject } from "../contract/json.ts";
import type { LoginState, LoginWay } from "../contract/logins.ts";
import type { Dialogs } from "../contract/slash-command.ts";
import { holdsKey, mayBeKey } from "./login/key-like.ts";
import type { LoginPorts } from "./login/login-ports.ts";
import { stateWords } from "./login/login-words.ts";
import { runLogin } from "./login/run-login.ts";
import { refused, said } from "./slash/shared/outcome.ts";

/** What `pi login` and `pi logout` need besides. */
export interface LoginCommandPorts extends LoginPorts {
  person: {
    /** Questions on the terminal; null where there is none. */
    dialogs(): Promise<Dialogs | null>;
    /** A key out of a file or another program, by way of stdin. Rejects with a PiError when nothing comes. */
    keyFromStdin(signal: AbortSignal): Promise<string>;
  };
}

const WAYS: readonly LoginWay[] = ["browser", "device", "key"];
const OPTIONS = ["key-stdin", "status", "json", ...WAYS];

/** `pi login [provider]`: by OAuth or with a key, which is never taken from the command line. Exits with 1 when nobody was logged in. */
export const loginCommand: CommandDefinition<LoginCommandPorts> = {
  name: "login",
  summary: "log in to a model service, or keep its API key",
  usage: "pi login [provider] [--browser | --device | --key | --key-stdin] | pi login --status [--json]",
  options: [
    { name: "browser", kind: "flag", summary: "authorise pi in the browser" },
    { name: "device", kind: "flag", summary: "type in a code on this or another device" },
    { name: "key", kind: "flag", summary: "keep an API key, which is asked for" },
    { name: "key-stdin", kind: "flag", summary: "keep an API key that comes on stdin" },
    { name: "status", kind: "flag", summary: "say who is logged in, and until when" },
    { name: "json", kind: "flag", summary: "as JSON" },
  ],
  accepts: ({ words, options }) =>
    (words.length <= 1 || holdsKey(words)) && Object.keys(options).every((name) => OPTIONS.includes(name)),
  async run({ words, options }, ports, signal) {
    const provider = words[0] ?? null;
    if (holdsKey(words)) return keyOnCommandLine(words);
    if (options["status"] === true) return status(await ports.login.states(), provider, ports.login.now());
    const ways = WAYS.filter((way) => options[way] === true);
    if (ways.length + (options["key-stdin"] === true ? 1 : 0) > 1)
      return asResult(
        refused("--browser, --device, --key and --key-stdin exclude each other.", loginCommand.usage),
        2,
      );
    if (options["key-stdin"] === true) return fromStdin(provider, ports, signal);
    const dialogs = await ports.person.dialogs();
    return asResult(await runLogin({ provider, way: ways[0] ?? null }, { ports, dialogs, signal }));
  },
};

/** What is answered to a key on the command line; the key is not repeated. */
export function keyOnCommandLine(words: readonly string[]): CommandResult {
  const provider = words.length > 1 && !mayBeKey(words[0]!) ? words[0] : "PROVIDER";
  return asResult(
    refused(
      "A key is never taken from the command line, which other programs can read and the shell keeps.",
      `Nothing was changed, and the key may be known now. To be asked for one: pi login ${provider} --key`,
    ),
    2,
  );
}

async function fromStdin(
  provider: string | null,
  ports: LoginCommandPorts,
  signal: AbortSignal,
): Promise<CommandResult> {
  if (provider === null)
    return asResult(
      refused("--key-stdin needs the name of a provider.", "pi login PROVIDER --key-stdin < FILE"),
      2,
    );
  const known = (await ports.login.choices()).some((choice) => choice.provider === provider);
  // The answer names the providers that there are.
  if (!known) return asResult(await runLogin({ provider, way: "key" }, { ports, dialogs: null, signal }));
  const { state, notes } = await ports.login.saveKey(
    provider,
    await ports.person.keyFromStdin(signal),
    signal,
  );
  return asResult(said(`The key for ${provider} is kept in ${state.source}.`, ...notes));
}

function status(states: readonly LoginState[], provider: string | null, now: number): CommandResult {
  const shown = states.filter((state) => provider === null || state.provider === provider);
  const rows = shown.map((state) => [state.provider, stateWords(state, now), state.source]);
  return {
    exitCode: shown.some(({ ended }) => ended === undefined) ? 0 : 1,
    blocks:
      rows.length === 0
        ? [{ kind: "text", text: "nobody is logged in, and no key is set; pi login" }]
        : [{ kind: "table", head: ["provider", "logged in", "from"], rows }],
    data: { logins: shown.map(asData) },
  };
}

function asData({ provider, kind, source, account, expiresAt, renews, ended }: LoginState): JsonObject {
  return {
    provider,
    kind,
    source,
    ...(account === undefined ? {} : { account }),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
    ...(renews === undefined ? {} : { renews }),
    ...(ended === undefined ? {} : { ended }),
  };
}

/** A slash command's outcome as that of a sub-command. */
export function asResult(
  { blocks, failed, declined }: Awaited<ReturnType<typeof runLogin>>,
  failure = 1,
): CommandResult {
  const message = blocks.map((block) => (block.kind === "text" ? block.text : "")).join("\n");
  const ok = failed !== true && declined !== true;
  return { exitCode: failed ? failure : ok ? 0 : 1, blocks, data: { ok, message } };
}
