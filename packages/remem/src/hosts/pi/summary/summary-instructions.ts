/** What a summary tells, so that the work can go on from it. */
const PARTS = `Write it in Markdown with these headings, and leave one out where there is nothing to say:

## Goal
What the user wants, all of it.
## Constraints and preferences
What the user demanded, ruled out or prefers.
## Done
What was changed or found out, with paths, names and exact error messages.
## Open
What is begun, what is blocked and by what.
## Decisions
Each with its reason.
## Next
What comes next, in order.

Be brief. Take nothing from outside of the conversation.`;

/** For a conversation whose older part gives way to the summary. */
export function compactionInstructions(focus: string | undefined): string {
  return withFocus(
    `Summarise the conversation, so that the work can be continued by somebody who has only the summary. If it begins with an earlier summary, keep what still holds of it.\n\n${PARTS}`,
    focus,
  );
}

/** For a branch of a conversation that is left. `replace`: the user's own instructions are all there is. */
export function branchInstructions(focus: string | undefined, replace: boolean): string {
  if (replace && focus !== undefined && focus !== "") return focus;
  return withFocus(
    `The conversation is a branch that the user leaves for an earlier point. Summarise it for whoever goes on from there.\n\n${PARTS}`,
    focus,
  );
}

function withFocus(instructions: string, focus: string | undefined): string {
  return focus === undefined || focus === ""
    ? instructions
    : `${instructions}\n\nThe user asks for this above all: ${focus}`;
}
