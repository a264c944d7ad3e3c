import type { UserMessage } from "../../../contract/messages.ts";
import type { ClockPort } from "./clock-port.ts";

/** Going back and forth in the conversation, with or without the files. */
export interface MovePorts extends ClockPort {
  moves: {
    /** The person's messages on this branch that one can go back to before, the latest first. */
    prompts(): Promise<readonly PromptSummary[]>;
    /** All of the conversation, in the order in which it is drawn. */
    tree(): Promise<readonly TreeRow[]>;
    /** What going there would mean. */
    look(place: Place): Promise<PlaceView>;
    /** What taking the last rewind back would mean; null when there is none. */
    lastRewind(): Promise<(PlaceView & { since: number }) | null>;
    /** What would happen to these files, as a unified diff from now to then; bounded, and saying so. */
    diff(view: PlaceView, files: readonly MovedFile[]): Promise<string>;
    /**
     * Lets a model write down what is left behind by going there; `focus` is what to keep above all. Nothing changes by that. Never
     * throws for what the model or its service does.
     */
    summarise(view: PlaceView, focus: string | null, signal: AbortSignal): Promise<BranchNotes>;
    /**
     * Goes there. `files`: which to bring back, out of the view's; one that changed since it was looked at is left alone. `notes`: what
     * {@link summarise} gave. Throws a PiError when the log cannot be read; nothing has changed then.
     */
    go(
      view: PlaceView,
      files: readonly MovedFile[],
      conversation: boolean,
      notes?: UserMessage,
    ): Promise<MoveDone>;
    /** Names the place after a message and its answer; an empty name takes it away. */
    label(turn: string, name: string): Promise<void>;
    /** Opens a new session that begins with everything up to there. Returns its id. Throws a PiError. */
    fork(place: TurnPlace): Promise<string>;
  };
  prompts: {
    /** Puts a text into the editor. */
    setDraft(text: string): void;
  };
}

/** Before a message of the person, after all that came of it, or where a branch ends. */
export type Place = TurnPlace | { branch: string };

export interface TurnPlace {
  turn: string;
  side: "before" | "after";
}

/** What became of a summary of what is left; `why` is a part of a sentence. */
export type BranchNotes =
  | { state: "done"; message: UserMessage }
  | { state: "failed"; why: string }
  | { state: "stopped" };

export interface PromptSummary {
  turn: string;
  text: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Files that the agent changed since. */
  files: number;
}

export interface TreeRow {
  turn: string;
  text: string;
  /** Milliseconds since 1970. */
  time: number;
  /** How many forks lead away from the way that is current. */
  depth: number;
  /** It lies on the way to the current place. */
  current: boolean;
  /** It is the current place. */
  here: boolean;
  /** Branches that end here. */
  branches: readonly string[];
  label?: string;
  /** What was compacted in it. */
  compactions: readonly ("shed" | "summary")[];
  /** The conversation goes on in more than one way. */
  forks: boolean;
  /** Nothing follows, and no branch ends here: it was left by going back. */
  left: boolean;
  /** One can go to before it. */
  before: boolean;
}

export interface MovedFile {
  path: string;
  /** `outside`: something else than the agent changed it since. `lost`: it cannot be brought back; `why` is a part of a sentence. */
  kind: "clean" | "outside" | "lost";
  why?: string;
}

export interface PlaceView {
  /** Null: where the last rewind began. */
  place: Place | null;
  /** The conversation would be another. */
  moves: boolean;
  /** Messages that would be left behind; 0 when nothing was said on the way that is left. */
  leaves: number;
  /** The branch that is switched to. */
  branch?: string;
  /** The message that becomes a draft; absent when none does. */
  draft?: string;
  /** That message had pictures, which a draft cannot hold. */
  images?: boolean;
  files: readonly MovedFile[];
}

export interface MoveDone {
  restored: number;
  failed: readonly { path: string; why: string }[];
}
