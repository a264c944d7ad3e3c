import type { CliWorld } from "../cli-world.ts";

/** Asks until one of the letters comes; the end of the input is `q`. */
export async function ask(world: CliWorld, question: string, letters: string): Promise<string> {
  for (;;) {
    await world.output.err(question);
    const line = await world.input.line();
    if (line === null) return "q";
    const letter = line.trim().toLowerCase().slice(0, 1);
    if (letter !== "" && letters.includes(letter)) return letter;
  }
}
