/** So many traces are kept of one session, and of all together. */
export const TRACES_OF_A_SESSION = 50;
export const TRACES_IN_ALL = 1_000;
