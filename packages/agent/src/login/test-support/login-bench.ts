/** A person who logs in to a test service, with a store in a workspace. */
import { join } from "node:path";
import type { OAuthService, Workspace } from "@pi-ts/testkit";
import { ManualClock } from "../../agent/test-support/manual-clock.ts";
import type { BrowserQuestion, DeviceQuestion, LoginScreen } from "../../contract/logins.ts";
import type { FetchLike } from "../../contract/model.ts";
import type { OAuthSetting } from "../../contract/settings.ts";
import { logIn } from "../log-in.ts";
import type { LoginRecord } from "../login-record.ts";
import { loginService } from "../login-service.ts";
import { LoginStore } from "../store/login-store.ts";

/** What the person was shown. */
export class ShownScreen implements LoginScreen {
  readonly notices: string[] = [];
  readonly browsers: BrowserQuestion[] = [];
  readonly devices: DeviceQuestion[] = [];
  readonly #act: (question: BrowserQuestion) => unknown;

  constructor(act: (question: BrowserQuestion) => unknown) {
    this.#act = act;
  }

  browser(question: BrowserQuestion): void {
    this.browsers.push(question);
    void Promise.resolve(this.#act(question)).catch((thrown: unknown) => this.notices.push(String(thrown)));
  }

  device(question: DeviceQuestion): void {
    this.devices.push(question);
  }

  notice(message: string): void {
    this.notices.push(message);
  }
}

export interface BenchOptions {
  setting?: OAuthSetting;
  flow?: "browser" | "device";
  /** What the person does when the address is shown; default: opens it in a browser. */
  act?(question: BrowserQuestion): unknown;
  fetch?: FetchLike;
  clock?: ManualClock;
  signal?: AbortSignal;
  /** Where it is kept; default: in a file of {@link storeIn}. */
  keychain?: LoginStore;
}

export const PROVIDER = "acme";

/** The settings of a login at the test service. */
export function settingOf(service: OAuthService, more: OAuthSetting = {}): OAuthSetting {
  return { issuer: service.url, clientId: "pi-test", scopes: ["models"], ...more };
}

export function storeIn(ws: Workspace): LoginStore {
  return new LoginStore(join(ws.home, ".pi-go", "login"), () =>
    Promise.reject(new Error("no keychain here")),
  );
}

/** Begins a login: the clock, what was shown, and the end. */
export function startLogin(ws: Workspace, oauth: OAuthService, options: BenchOptions = {}) {
  const clock = options.clock ?? new ManualClock();
  const screen = new ShownScreen(options.act ?? (({ url }) => oauth.browse(url)));
  const store = options.keychain ?? storeIn(ws);
  const found = loginService(PROVIDER, options.setting ?? settingOf(oauth), () => undefined);
  if ("missing" in found) throw new Error(found.missing);
  const end: Promise<LoginRecord> = logIn({
    service: found.service,
    flow: options.flow ?? "browser",
    screen,
    store,
    keptIn: options.keychain === undefined ? "file" : "keychain",
    baseUrl: oauth.api,
    fetch: options.fetch ?? fetch,
    clock,
    signal: options.signal ?? new AbortController().signal,
  });
  end.catch(() => undefined);
  return { clock, screen, store, end };
}

/** Whether a port can be listened to, so that nobody does. */
export function isFree(port: number, hostname = "127.0.0.1"): boolean {
  try {
    void Bun.serve({ hostname, port, fetch: () => new Response("") }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** The port of a way back. */
export function portOf(question: BrowserQuestion): number {
  return Number(new URL(new URL(question.url).searchParams.get("redirect_uri")!).port);
}
