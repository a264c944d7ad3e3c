/** What the model reads about git-overview. */
export const gitOverviewPrompt = "Git branch, last commits, and staged, unstaged and untracked files.";
