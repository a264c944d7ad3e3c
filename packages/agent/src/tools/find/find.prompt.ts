/** What the model reads about find. */
export const findPrompt =
  "Find files by glob (*.ts, src/**/*.test.ts), hidden ones too, without what .gitignore ignores. At most 500.";
