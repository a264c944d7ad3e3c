import type { Figure } from "../report.ts";
import { openEngine } from "./open-engine.ts";
import { factChains, factMemories, unknownQuestions } from "./project-facts.ts";
import { percent } from "./retrieval-metrics.ts";
import type { BenchStores } from "./stores.ts";

const SEED = 11;
const BUDGET = 1024;

/** Prompts of every day that no stored fact answers. */
const EVERYDAY = `Rename this variable to something clearer
Write a haiku about autumn leaves
Explain how a B-tree splits its nodes
What is the capital of Portugal?
Translate this paragraph into Italian
Fix the off-by-one error in the loop above
Add a docstring to the selected function
Convert the JSON below to YAML
How do closures capture variables in JavaScript?
Draw an ASCII diagram of a linked list
Why does my regex match too greedily?
Generate a random password of sixteen letters
Summarise the last commit in one sentence
Reverse a string without using the standard library
Make the button blue and a little larger
Which sorting algorithm is stable?
Thanks, that looks perfect
Continue
Please undo the last edit
Center the heading on small screens
Calculate the compound interest for five years
What does the SIGPIPE signal mean?
Suggest a name for my cat
Format this table so the columns align
Explain the difference between TCP and UDP
Write a limerick about semicolons
Is water wet?
Add a unit test for the empty list
Remove the trailing whitespace everywhere
How many moons does Jupiter have?
Sketch a state machine for a traffic light
Turn this for loop into a map call
Compare optimistic and pessimistic locking
What is the time complexity of this function?
Give me a recipe for lentil soup
Replace tabs by spaces
Explain monads to a musician
Split this long method into three
Write a shell loop that renames photos
What causes a deadlock?`.split("\n");

/** Whether recall says nothing where nothing is known, and something where something is. */
export async function benchSilence(stores: BenchStores): Promise<Figure[]> {
  await using opened = await openEngine(stores.openNew());
  const { engine } = opened;
  const scope = { kind: "project", id: "shop" } as const;
  const chains = factChains(SEED);
  await engine.remember(factMemories(chains, scope, true));
  const spoke = async (prompt: string): Promise<boolean> =>
    (await engine.recall(prompt, { scopes: [scope], budget: BUDGET })).text !== "";
  const shareOf = async (prompts: readonly string[], wanted: boolean): Promise<number> => {
    let count = 0;
    for (const prompt of prompts) if ((await spoke(prompt)) === wanted) count++;
    return count / prompts.length;
  };
  const kept = await shareOf(
    chains.map(({ question }) => question),
    true,
  );
  const unknown = await shareOf(unknownQuestions(), false);
  const everyday = await shareOf(EVERYDAY, false);
  const silent =
    (unknown * unknownQuestions().length + everyday * EVERYDAY.length) /
    (unknownQuestions().length + EVERYDAY.length);
  return [
    {
      name: "silence, answerable prompts that get memories",
      value: percent(kept),
      beside: `${chains.length} prompts`,
      goal: "≥ 95",
      met: kept >= 0.95,
    },
    {
      name: "silence, unanswerable prompts that get nothing",
      value: percent(silent),
      beside: `unknown services ${percent(unknown)}, everyday ${percent(everyday)}`,
      goal: "≥ 42",
      met: silent >= 0.42,
    },
  ];
}
