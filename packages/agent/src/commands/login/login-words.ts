import type { LoginState, LoginWay } from "../../contract/logins.ts";

/** The ways to log in, for people. */
export const WAY_WORDS: Readonly<Record<LoginWay, string>> = {
  browser: "in the browser",
  device: "with a code, on this or another device",
  key: "with an API key",
};

/** How one is logged in, in one phrase: `as ann@example.com, until 2026-11-30 14:03 UTC, renewed by itself`. */
export function stateWords(state: LoginState, now: number): string {
  if (state.ended !== undefined) return `ended: ${state.ended}; pi login ${state.provider}`;
  if (state.kind === "key") return "with an API key";
  const words = [state.account === undefined ? "by OAuth" : `as ${state.account}`];
  const { expiresAt, renews } = state;
  if (expiresAt !== undefined) {
    const over = expiresAt <= now && renews !== true;
    words.push(`${over ? "expired" : "until"} ${dayAndTime(expiresAt)}`);
    if (over) words.push(`pi login ${state.provider}`);
  }
  if (renews === true) words.push("renewed by itself");
  return words.join(", ");
}

function dayAndTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
