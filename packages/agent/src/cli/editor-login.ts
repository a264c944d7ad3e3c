/**
 * The command line without what makes it an editor's agent, when an editor wants a login: for that it appends `login` to whatever it
 * starts as its agent. Any other command line as it is.
 */
export function withoutAgentWords(argv: readonly string[]): readonly string[] {
  const login = argv.indexOf("login");
  return login > 0 && isAgent(argv.slice(0, login)) ? argv.slice(login) : argv;
}

function isAgent(argv: readonly string[]): boolean {
  return (
    argv[0] === "acp" ||
    argv.some((word, index) => word === "--mode=acp" || (word === "--mode" && argv[index + 1] === "acp"))
  );
}
