import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
} from "@agentclientprotocol/sdk";
import type { Dialogs } from "../../contract/slash-command.ts";

/** The one field of our questions. */
const FIELD = "answer";

/** Puts a form to the editor; what `signal` aborts is withdrawn. */
export type RequestForm = (
  request: CreateElicitationRequest,
  signal: AbortSignal | undefined,
) => Promise<CreateElicitationResponse>;

/**
 * Questions to the editor's person, each a form with one field. A form that is declined or left counts as dismissed. Secrets are
 * never asked for: the protocol forbids it in forms.
 */
export function editorDialogs(sessionId: () => string, request: RequestForm): Dialogs {
  async function ask(
    message: string,
    field: ElicitationPropertySchema,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const response = await request(
      {
        mode: "form",
        sessionId: sessionId(),
        message,
        requestedSchema: { type: "object", properties: { [FIELD]: field }, required: [FIELD] },
      },
      signal,
    );
    const given = response.action === "accept" ? response.content : undefined;
    return (given as Record<string, unknown> | null | undefined)?.[FIELD] ?? null;
  }
  return {
    async choose({ title, detail, choices, initial }, signal) {
      const oneOf = choices.map(({ label, description }, index) => ({
        const: String(index),
        title: label,
        ...(description === undefined ? {} : { description }),
      }));
      const message = detail === undefined ? title : `${title}\n\n${detail}`;
      const start = initial === undefined ? {} : { default: String(initial) };
      const answer = await ask(message, { type: "string", title, oneOf, ...start }, signal);
      return typeof answer === "string" ? (choices[Number(answer)]?.value ?? null) : null;
    },
    async confirm({ title, detail = [] }, signal) {
      const texts = detail.flatMap((block) => ("text" in block ? [block.text] : []));
      const answer = await ask([title, ...texts].join("\n\n"), { type: "boolean", title }, signal);
      return answer === true;
    },
    async ask({ title, initial, secret }, signal) {
      if (secret === true) return null;
      const start = initial === undefined ? {} : { default: initial };
      const answer = await ask(title, { type: "string", title, ...start }, signal);
      return typeof answer === "string" ? answer : null;
    },
  };
}
