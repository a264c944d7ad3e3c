/** Logins of model services: what the resolution of a provider asks for, and the login feature answers. */
import type { FetchLike } from "./model.ts";

/** A login that requests can be made with. Its token is refreshed under way, so nobody outside keeps one. */
export interface ProviderLogin {
  provider: string;
  /** Where it is kept, for people: a file or the keychain. */
  source: string;
  /** Scheme, host and port that the token is for. A request to any other place never carries it. */
  origin: string;
  /** A way to the service that puts a token that is good into each request, and after a 401 another one, once. */
  through(fetch: FetchLike): FetchLike;
}

/** Logins by provider. */
export interface LoginLookup {
  /** Undefined when there is none. Asks no service. */
  find(provider: string): ProviderLogin | undefined;
}

/** Where a person is sent to authorise in a browser. */
export interface BrowserQuestion {
  url: string;
  /** Why the browser's way back does not lead to this machine by itself; null: it does. */
  pasteOnly: string | null;
  /** Takes the address that the browser ended at, or the code that the page shows. False: it is no answer to this question. */
  take(text: string): boolean;
}

/** A code that a person types in on a page, on whatever machine. */
export interface DeviceQuestion {
  url: string;
  /** The page with the code in it. */
  completeUrl?: string;
  code: string;
  /** Milliseconds. */
  expiresInMs: number;
}

/** How a person is shown what to do. Nothing here waits. */
export interface LoginScreen {
  browser(question: BrowserQuestion): void;
  device(question: DeviceQuestion): void;
  /** Something to know that stops nothing. */
  notice(message: string): void;
}

/** How a person can log in to a provider; `key` is an API key. */
export type LoginWay = "browser" | "device" | "key";

/** A provider that one can log in to. */
export interface LoginChoice {
  provider: string;
  /** For people. */
  title: string;
  /** The usual one first; never empty. */
  ways: readonly LoginWay[];
  /** What has to be set before one can log in by OAuth; null where one can, or where nothing of the kind is known. */
  missing: string | null;
  /** The variable that a key is kept under, and the page where keys are made. */
  keyVariable: string;
  keyPage?: string;
}

/** What requests to a provider are made with. */
export interface LoginState {
  provider: string;
  kind: "oauth" | "key";
  /** For people: the environment, a file, the keychain. */
  source: string;
  account?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** The token is renewed when it ends. */
  renews?: boolean;
  /** Why the service takes it no more. */
  ended?: string;
}
