import type { Notice } from "../../contract/settings.ts";
import { Notices } from "../notices.ts";

/** Notices that nobody waits for: each is said when it comes. */
export class SpokenNotices extends Notices {
  readonly #say: (notice: Notice) => void;

  constructor(say: (notice: Notice) => void) {
    super();
    this.#say = say;
  }

  override add(...notices: readonly Notice[]): void {
    for (const notice of notices) this.#say(notice);
  }

  override warn(message: string): void {
    this.#say({ level: "warning", message });
  }
}
