import type { Clock } from "../../../contract/services.ts";

/** The time, for ages in lists. */
export interface ClockPort {
  clock: Pick<Clock, "now">;
}
