import type { McpServer, RegisteredTool, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Question = Parameters<ServerContext['mcpReq']['elicitInput']>[0];

/** Asks the client on the stream of the call, because the server has no GET stream for a separate request. */
const elicitFrom = ({ mcpReq }: ServerContext, params: Question) =>
  mcpReq.send({ method: 'elicitation/create', params });

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const nothing = z.object({});
const choice = (type: 'string', rest: object) => ({ type, ...rest });

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const titled = (...names: string[]) => names.map((title, index) => ({ const: `value${index + 1}`, title }));
const options = ['option1', 'option2', 'option3'];
const enums = {
  untitledSingle: choice('string', { enum: options }),
  titledSingle: choice('string', { oneOf: titled('First Option', 'Second Option', 'Third Option') }),
  legacyEnum: choice('string', {
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  }),
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
  },
};

/** The tools of the older revisions that send their client a request while they run. */
export function legacyTools(server: McpServer): Record<string, RegisteredTool> {
  const elicit = (message: string, properties: object, required: string[] = []) =>
    ({ message, requestedSchema: { type: 'object', properties, required } }) as Question;
  const form = (name: string, params: Question) =>
    server.registerTool(name, { description: name, inputSchema: nothing }, async (_args, context) => {
      const { action, content } = await elicitFrom(context, params);
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    });
  return {
    test_sampling: server.registerTool(
      'test_sampling',
      { description: 'Asks the client for a completion', inputSchema: z.object({ prompt: z.string() }) },
      async ({ prompt }, { mcpReq }) => {
        const content = { type: 'text' as const, text: prompt };
        const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
        const answer = await mcpReq.send({ method: 'sampling/createMessage', params });
        return text(`LLM response: ${JSON.stringify(answer.content)}`);
      },
    ),
    test_elicitation: server.registerTool(
      'test_elicitation',
      { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
      async ({ message }, context) => {
        const params = elicit(message, { response: { type: 'string' } }, ['response']);
        const { action, content } = await elicitFrom(context, params);
        return text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
      },
    ),
    test_elicitation_sep1034_defaults: form(
      'test_elicitation_sep1034_defaults',
      elicit('Please review the fields', defaults),
    ),
    test_elicitation_sep1330_enums: form('test_elicitation_sep1330_enums', elicit('Please select', enums)),
  };
}
