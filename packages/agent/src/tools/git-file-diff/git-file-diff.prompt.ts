/** What the model reads about git-file-diff. */
export const gitFileDiffPrompt = "Unified diff of one file: work tree against index, or staged against HEAD.";
