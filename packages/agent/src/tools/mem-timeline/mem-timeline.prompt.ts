/** What a model is told of `mem-timeline`. */
export const memTimelinePrompt = {
  name: "mem-timeline",
  description: "What was said and done before and after a memory in its session, in order, one line each.",
  input: {
    type: "object",
    required: ["anchor"],
    properties: {
      anchor: { type: "string", description: "id" },
      before: { type: "integer", minimum: 0, maximum: 50, description: "default 5" },
      after: { type: "integer", minimum: 0, maximum: 50, description: "default 5" },
    },
  },
} as const;
