/**
 * A model service for all peers, as a process of its own: it speaks the four wires that they use, checks nothing and costs next to
 * nothing. `POST /plan` with calls has each conversation make them one after the other and end with a text; an empty plan ends at once.
 * It gives how many requests that declare tools were answered since the last plan. The plan is not in the prompt: a peer that remembers
 * would be told it again later.
 */
interface Call {
  name: string;
  input: object;
}

/** How a wire says what is the same on all: where results stand in a request, and an answer as a stream of events. */
interface PeerWire {
  /** Stands once in a request for every result of a call. */
  resultMark: string;
  toolsMark: string;
  answer(call: Call | undefined, index: number, body: string): string;
}

const MODEL = "bench-model";
const event = (data: object, name?: string) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

const responses: PeerWire = {
  resultMark: '"function_call_output"',
  toolsMark: '"tools":[{',
  answer(call, index) {
    const item =
      call === undefined
        ? {
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "done", annotations: [] }],
          }
        : {
            type: "function_call",
            id: `fc_${index}`,
            call_id: `call_${index}`,
            name: call.name,
            arguments: JSON.stringify(call.input),
            status: "completed",
          };
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 105,
    };
    return [
      { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      {
        type: "response.completed",
        response: { id: "resp_1", status: "completed", output: [item], usage },
      },
    ]
      .map((data) => event(data, data.type))
      .join("");
  },
};

const messages: PeerWire = {
  resultMark: '"type":"tool_result"',
  toolsMark: '"tools":[{',
  answer(call, index) {
    const block =
      call === undefined
        ? { type: "text", text: "" }
        : { type: "tool_use", id: `toolu_${index}`, name: call.name, input: {} };
    const delta =
      call === undefined
        ? { type: "text_delta", text: "done" }
        : { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    };
    const message = {
      id: `msg_${index}`,
      type: "message",
      role: "assistant",
      model: MODEL,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: "message_stop" },
    ]
      .map((data) => event(data, data.type))
      .join("");
  },
};

const chat: PeerWire = {
  resultMark: '"role":"tool"',
  toolsMark: '"tools":[{',
  answer(call, index) {
    const chunk = (delta: object, finish: string | null) =>
      event({
        id: `chatcmpl-${index}`,
        object: "chat.completion.chunk",
        created: 1,
        model: MODEL,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const delta =
      call === undefined
        ? { role: "assistant", content: "done" }
        : {
            role: "assistant",
            tool_calls: [
              {
                index: 0,
                id: `call_${index}`,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.input) },
              },
            ],
          };
    const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };
    return [
      chunk(delta, null),
      chunk({}, call === undefined ? "stop" : "tool_calls"),
      event({ id: "u", object: "chat.completion.chunk", created: 1, model: MODEL, choices: [], usage }),
      "data: [DONE]\n\n",
    ].join("");
  },
};

const NOTHING_WRONG = JSON.stringify({
  unproductive_state_analysis: "each step is another command",
  unproductive_state_confidence: 0,
});

const gemini: PeerWire = {
  resultMark: '"functionResponse"',
  toolsMark: '"functionDeclarations":[{',
  answer(call, _index, body) {
    // Beside the work it asks for judgements as JSON (whether the work goes in circles), and asks again without end when it gets none.
    const text = body.includes('"responseJsonSchema"') ? NOTHING_WRONG : "done";
    const part = call === undefined ? { text } : { functionCall: { name: call.name, args: call.input } };
    return event({
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 },
      modelVersion: MODEL,
    });
  },
};

function wireOf(path: string): PeerWire | null {
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/messages")) return messages;
  if (path.endsWith("/chat/completions")) return chat;
  return path.includes(":streamGenerateContent") || path.includes(":generateContent") ? gemini : null;
}

const log = process.env["PEER_LOG"];
let plan: readonly Call[] = [];
let withTools = 0;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/plan") {
      const counted = { withTools };
      plan = (await request.json()) as Call[];
      withTools = 0;
      return Response.json(counted);
    }
    const body = await request.text();
    if (log !== undefined)
      await Bun.write(`${log}/${Date.now()}-${Math.random()}`, `${request.method} ${request.url}\n${body}`);
    const wire = wireOf(pathname);
    if (wire === null) return Response.json({ data: [], models: [] });
    const isWork = body.includes(wire.toolsMark);
    if (isWork) withTools++;
    const done = body.split(wire.resultMark).length - 1;
    const call = isWork ? plan[done] : undefined;
    const answer = wire.answer(call, done, body);
    if (pathname.includes(":generateContent"))
      return new Response(answer.replace(/^data: /, ""), { headers: { "content-type": "application/json" } });
    return new Response(answer, { headers: { "content-type": "text/event-stream" } });
  },
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);
