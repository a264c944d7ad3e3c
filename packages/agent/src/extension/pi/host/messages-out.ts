/** Messages that extensions put before the model: at once, with the next request, after the answer, or with the next prompt. */
import type { UserMessage } from "../../../contract/messages.ts";
import { textOf } from "../../../contract/messages.ts";
import type { PiCustomDraft } from "../pi-types.ts";
import type { HostState, PendingMessage } from "./host-state.ts";
import { portsOf } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import { asJson, partsOf } from "./pi-message.ts";

interface SendOptions {
  triggerTurn?: boolean;
  deliverAs?: "steer" | "followUp" | "nextTurn";
}

/** What an extension wrote that is none of these would wait for ever. */
function delivery(wanted: unknown, otherwise: PendingMessage["how"]): PendingMessage["how"] {
  return wanted === "steer" || wanted === "followUp" || wanted === "nextTurn" ? wanted : otherwise;
}

/** `pi.sendMessage`. */
export function sendMessage(
  state: HostState,
  extension: LoadedExtension,
  draft: PiCustomDraft,
  options: SendOptions = {},
): void {
  portsOf(state, extension);
  const pending = customMessage(draft, delivery(options.deliverAs, "steer"));
  show(state, extension, draft);
  const inRun = state.run !== null && !state.answered;
  if (pending.how === "nextTurn" || inRun) wait(state, extension, pending);
  else {
    store(state, pending);
    if (options.triggerTurn !== true) return;
    if (state.run === null) state.start(extension, null);
    else state.goOn = true;
  }
}

/** `pi.sendUserMessage`: as if a person had sent it; a run begins when there is none. */
export function sendUserMessage(
  state: HostState,
  extension: LoadedExtension,
  content: unknown,
  options: Pick<SendOptions, "deliverAs"> = {},
): void {
  portsOf(state, extension);
  const message: UserMessage = { role: "user", origin: "user", parts: partsOf(content) };
  if (state.run === null) state.start(extension, message);
  else wait(state, extension, { message, how: delivery(options.deliverAs, "followUp") });
}

/** More than a model could read; a timer that sends without an end must not fill the memory. */
const MOST_PENDING = 1_000;

function wait(state: HostState, extension: LoadedExtension, pending: PendingMessage): void {
  if (state.pending.length < MOST_PENDING) state.pending.push(pending);
  else {
    const words = `has ${MOST_PENDING} messages waiting for the model; no more are taken until these are sent`;
    state.faults.note(extension, "a message", words);
  }
}

/** A message of an extension's, as what is stored of it. */
export function customMessage(draft: PiCustomDraft, how: PendingMessage["how"]): PendingMessage {
  const parts = partsOf(draft.content);
  return {
    message: { role: "user", origin: "reminder", parts },
    how,
    note: {
      kind: "message",
      custom: String(draft.customType),
      display: draft.display === true,
      data: { content: asJson(draft.content), details: asJson(draft.details) },
    },
  };
}

/** Puts it into the conversation, and what it is to its extension beside it. */
export function store(state: HostState, { message, note }: PendingMessage): void {
  const session = state.ports?.session;
  if (session === undefined) return;
  if (message.parts.length > 0) session.append(message);
  const target = session.head();
  if (note !== undefined) session.note({ ...note, ...(target === null ? {} : { target }) });
}

/** Takes out of the queue what waits for this. */
export function takePending(state: HostState, ...how: PendingMessage["how"][]): PendingMessage[] {
  const taken = state.pending.filter((each) => how.includes(each.how));
  state.pending = state.pending.filter((each) => !how.includes(each.how));
  return taken;
}

/** Shows a message that is for the person, too. */
export function show(state: HostState, extension: LoadedExtension, draft: PiCustomDraft): void {
  if (draft.display !== true) return;
  const surface = state.ports?.surface() ?? null;
  const text = textOf(partsOf(draft.content));
  if (surface === null) {
    state.heard?.(text);
    return;
  }
  const value = { role: "custom", ...draft, timestamp: Date.now() };
  surface.showMessage(extension, { kind: "message", customType: String(draft.customType), text, value });
}
