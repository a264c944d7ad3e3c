import type { LoginPorts } from "../../commands/login/login-ports.ts";
import { openBrowser } from "../open-browser.ts";
import type { LoginPortParts } from "./login-port.ts";

/** {@link LoginPorts}, whose code is loaded when something is first asked of it. */
export function lateLogin(parts: LoginPortParts): LoginPorts["login"] {
  let made: Promise<ReturnType<typeof import("./login-port.ts").loginPort>> | undefined;
  const port = () => {
    made ??= import("./login-port.ts").then(({ loginPort }) => loginPort(parts));
    return made;
  };
  return {
    choices: async () => (await port()).choices(),
    logIn: async (...words) => (await port()).logIn(...words),
    saveKey: async (...words) => (await port()).saveKey(...words),
    states: async () => (await port()).states(),
    logOut: async (...words) => (await port()).logOut(...words),
    openBrowser: (url) => openBrowser(url, parts.place.environment, parts.processes()),
    tell: parts.tell,
    now: Date.now,
  };
}
