/** What the model reads of the bash tool; each byte is paid for in each request. */
export const bashDescription =
  "Run a command with bash in the project folder; each call is a fresh shell. No stdin, nobody answers prompts. Long output keeps its head and tail; the full log's path is given. For servers and long jobs use background.";
