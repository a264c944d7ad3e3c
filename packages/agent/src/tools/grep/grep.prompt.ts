/** What the model reads about grep. */
export const grepPrompt =
  "Search file contents by regular expression, hidden files too, without what .gitignore ignores. At most 200 matches.";
