/** What the model reads about git-hunk. */
export const gitHunkPrompt = "The hunks of one file's diff, numbered, with added and removed line counts.";
