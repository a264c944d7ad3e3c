/**
 * Why a wait of our own ends that nobody needs any more. Given as the reason of an abort it saves making an error with its stack, which
 * costs more than most of what a step does; nobody reads it.
 */
export const OVER = "over";
