/** What the model reads of the bash-kill tool; each byte is paid for in each request. */
export const bashKillDescription = "End a background command and its children.";
