/** The time of day, injected so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}
