import { PiError } from "../../contract/errors.ts";
import type {
  BrowserQuestion,
  DeviceQuestion,
  LoginChoice,
  LoginScreen,
  LoginWay,
} from "../../contract/logins.ts";
import type { Dialogs, SlashOutcome } from "../../contract/slash-command.ts";
import { didYouMean } from "../slash/shared/near-port.ts";
import { declined, refused, said } from "../slash/shared/outcome.ts";
import { PasteQuestion } from "../slash/shared/paste-question.ts";
import { mayBeKey } from "./key-like.ts";
import type { LoginDone, LoginPorts } from "./login-ports.ts";
import { stateWords, WAY_WORDS } from "./login-words.ts";

export interface LoginRequest {
  /** Null: the person chooses. */
  provider: string | null;
  way: LoginWay | null;
}

export interface LoginContext {
  ports: LoginPorts;
  /** Null: there is nobody to ask. */
  dialogs: Dialogs | null;
  signal: AbortSignal;
}

/** Logs a person in, on whatever surface: the provider, the way, and what the way asks for. Rejects with the PiError of a login that failed. */
export async function runLogin(request: LoginRequest, context: LoginContext): Promise<SlashOutcome> {
  const { ports, dialogs } = context;
  const choices = await ports.login.choices();
  const provider = request.provider ?? (await askProvider(choices, context));
  if (provider === null) return dialogs === null ? noProvider(choices) : declined();
  const choice = choices.find((one) => one.provider === provider.toLowerCase() || one.provider === provider);
  if (choice === undefined) return unknownProvider(provider, choices, ports);
  const way = request.way ?? (await askWay(choice, context));
  if (way === null) return declined();
  if (!choice.ways.includes(way)) return notThatWay(choice, way);
  return way === "key" ? withKey(choice, context) : withOAuth(choice, way, context);
}

async function askProvider(choices: readonly LoginChoice[], context: LoginContext): Promise<string | null> {
  const { dialogs, ports, signal } = context;
  if (dialogs === null) return null;
  const states = new Map((await ports.login.states()).map((state) => [state.provider, state]));
  return dialogs.choose(
    {
      title: "Log in to",
      choices: choices.map(({ provider, title }) => {
        const state = states.get(provider);
        const description = state === undefined ? "" : stateWords(state, ports.login.now());
        return { value: provider, label: title, ...(description === "" ? {} : { description }) };
      }),
    },
    signal,
  );
}

async function askWay(
  { title, ways }: LoginChoice,
  { dialogs, signal }: LoginContext,
): Promise<LoginWay | null> {
  if (ways.length === 1 || dialogs === null) return ways[0]!;
  return dialogs.choose(
    { title: `Log in to ${title}`, choices: ways.map((way) => ({ value: way, label: WAY_WORDS[way] })) },
    signal,
  );
}

async function withKey(choice: LoginChoice, { ports, dialogs, signal }: LoginContext): Promise<SlashOutcome> {
  const { provider, title, keyVariable, keyPage, missing } = choice;
  if (dialogs === null)
    return refused(
      `There is no terminal to type the key for ${title} into.`,
      `From a file or another program: pi login ${provider} --key-stdin < FILE`,
    );
  if (missing !== null) ports.login.tell(missing);
  const from = keyPage === undefined ? "" : `, from ${keyPage}`;
  const key = await dialogs.ask(
    { title: `API key for ${title} (${keyVariable}${from}):`, secret: true },
    signal,
  );
  if (key === null || key.trim() === "") return declined();
  return told(await ports.login.saveKey(provider, key, signal), title, ports);
}

async function withOAuth(
  choice: LoginChoice,
  way: "browser" | "device",
  { ports, dialogs, signal }: LoginContext,
): Promise<SlashOutcome> {
  using paste = new PasteQuestion(dialogs, signal);
  const screen: LoginScreen = {
    browser(question) {
      if (dialogs === null && question.pasteOnly !== null) throw nobodyPastes(question.pasteOnly, choice);
      showBrowser(question, choice, ports, paste);
    },
    device: (question) => showDevice(question, choice, ports),
    notice: (message) => ports.login.tell(message),
  };
  try {
    return told(await ports.login.logIn(choice.provider, way, screen, paste.signal), choice.title, ports);
  } catch (thrown) {
    if (paste.dismissed) return declined();
    throw thrown;
  }
}

/** Nobody could end this login: waiting for it would be for nothing. */
function nobodyPastes(why: string, { provider, title, ways }: LoginChoice): PiError {
  const device = ways.includes("device") ? ", or here with --device" : "";
  return new PiError({
    code: "login_terminal",
    message: `the login to ${title} needs a terminal to paste into what the browser ends at: ${why}`,
    hint: `Run it in a terminal: pi login ${provider}${device}`,
  });
}

function showBrowser(
  { url, pasteOnly, take }: BrowserQuestion,
  { title }: LoginChoice,
  { login }: LoginPorts,
  paste: PasteQuestion,
): void {
  const opened = login.openBrowser(url);
  login.tell(
    `${opened ? "A browser opens" : "Open this address in a browser"} to authorise pi with ${title}:\n${url}`,
  );
  const why =
    pasteOnly === null ? "If the browser cannot reach this machine, paste" : `${sentence(pasteOnly)} Paste`;
  paste.ask(`${why} the address that it ended at, or the code that it shows:`, take);
}

function showDevice(
  { url, completeUrl, code }: DeviceQuestion,
  { title }: LoginChoice,
  { login }: LoginPorts,
): void {
  login.openBrowser(completeUrl ?? url);
  login.tell(`To authorise pi with ${title}, open ${url} on any device and type in the code ${code}`);
}

function told({ state, notes }: LoginDone, title: string, { login }: LoginPorts): SlashOutcome {
  const how =
    state.kind === "key"
      ? `The key for ${title} is kept in ${state.source}.`
      : `Logged in to ${title} ${stateWords(state, login.now())}.`;
  return said(how, ...notes);
}

function noProvider(choices: readonly LoginChoice[]): SlashOutcome {
  return refused(
    "pi login needs the name of a provider where there is no terminal.",
    `One of: ${choices.map(({ provider }) => provider).join(", ")}.`,
  );
}

function unknownProvider(provider: string, choices: readonly LoginChoice[], ports: LoginPorts): SlashOutcome {
  const known = choices.map((choice) => choice.provider);
  return refused(
    // A key in the wrong place is not repeated.
    mayBeKey(provider) ? "There is no provider of that name." : `There is no provider "${provider}".`,
    didYouMean(
      ports.near(provider, known),
      `One of: ${known.join(", ")}. Any other needs an entry under providers{} in your config file, and one under oauth{} for its login.`,
    ),
  );
}

function notThatWay({ title, missing, ways }: LoginChoice, way: LoginWay): SlashOutcome {
  return refused(
    `One cannot log in to ${title} ${WAY_WORDS[way]}.`,
    missing ?? `It takes a login ${ways.map((each) => WAY_WORDS[each]).join(" or ")}.`,
  );
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
