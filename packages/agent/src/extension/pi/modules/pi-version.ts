/** The version of Pi whose extension API is answered here, for extensions that look. */
export const PI_VERSION = "1.6.0";

/** The version of Pi's session files that `ctx.sessionManager` looks like. */
export const SESSION_VERSION = 3;
