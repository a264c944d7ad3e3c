import type { LoginChoice, LoginScreen, LoginState } from "../../contract/logins.ts";
import type { NearPort } from "../slash/shared/near-port.ts";

/** What logging in and out needs of the world. Methods reject with a PiError that says what to do. */
export interface LoginPorts extends NearPort {
  login: {
    choices(): Promise<readonly LoginChoice[]>;
    /** By OAuth; what is granted is kept. */
    logIn(
      provider: string,
      way: "browser" | "device",
      screen: LoginScreen,
      signal: AbortSignal,
    ): Promise<LoginDone>;
    /** Checks a key with its service, and keeps it. */
    saveKey(provider: string, key: string, signal: AbortSignal): Promise<LoginDone>;
    /** Of every provider that there is a login or a key for. */
    states(): Promise<readonly LoginState[]>;
    logOut(provider: string, signal: AbortSignal): Promise<LogoutDone>;
    /** Opens an address in the person's browser; false where there seems to be none. */
    openBrowser(url: string): boolean;
    /** Says something to the person while a login waits. */
    tell(message: string): void;
    now(): number;
  };
}

export interface LoginDone {
  state: LoginState;
  /** What else there is to know, for people. */
  notes: readonly string[];
}

/** What a logout found and did, for people; empty: there was nothing. */
export interface LogoutDone {
  done: readonly string[];
  /** What still stands in the way of being logged out. */
  left: readonly string[];
}
