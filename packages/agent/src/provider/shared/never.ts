/** The longest time that a timer can wait, 24 days: SDKs get it as their limit, because the loop's watchdog is the one that watches. */
export const NEVER_MS = 2 ** 31 - 1;
