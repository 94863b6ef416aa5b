import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type RegisteredTool,
  type ServerContext,
  type ToolCallback,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const codec = createRequestStateCodec<{ step: string }>({ key: randomBytes(32) });
const nothing = z.object({});
const done = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

function form(message: string, name: string, type: 'string' | 'boolean' = 'string') {
  const property = type === 'string' ? ({ type } as const) : ({ type } as const);
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: property }, required: [name] },
  });
}

function ask(prompt: string, maxTokens: number) {
  const content = { type: 'text' as const, text: prompt };
  return inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens });
}

/** The request state that the client sent back. Throws if the state is invalid or expired. */
async function stateOf(context: ServerContext): Promise<{ step: string } | undefined> {
  const raw = context.mcpReq.requestState<string>();
  if (raw === undefined) return undefined;
  try {
    return (await codec.verify(raw, context)) as { step: string };
  } catch {
    throw new ProtocolError(-32602, 'Invalid or expired requestState');
  }
}

/** The tools of revision 2026-07-28, and one prompt, that ask the client for input or need one of its capabilities. */
export function questionTools(server: McpServer): Record<string, RegisteredTool> {
  const tools: Record<string, RegisteredTool> = {};
  const add = (name: string, run: ToolCallback<typeof nothing>) => {
    tools[name] = server.registerTool(name, { description: name, inputSchema: nothing }, run);
  };
  const answered = ({ mcpReq }: ServerContext, key: string) => mcpReq.inputResponses?.[key] !== undefined;
  const once = (name: string, key: string, request: InputRequests[string]) =>
    add(name, async (_args, context) =>
      answered(context, key)
        ? done(JSON.stringify(context.mcpReq.inputResponses?.[key]))
        : inputRequired({ inputRequests: { [key]: request } }),
    );
  const named = z.object({ name: z.string() });
  add('test_input_required_result_elicitation', async (_args, { mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, 'user_name', named);
    if (content) return done(`Hello, ${content.name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  });
  once('test_input_required_result_sampling', 'capital_question', ask('What is the capital of France?', 100));
  once('test_input_required_result_list_roots', 'client_roots', inputRequired.listRoots());
  for (const name of ['request_state', 'tampered_state']) {
    add(`test_input_required_result_${name}`, async (_args, context) => {
      if ((await stateOf(context)) && answered(context, 'confirm')) return done('state-ok');
      return inputRequired({
        inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
        requestState: await codec.mint({ step: 'confirm' }, context),
      });
    });
  }
  add('test_input_required_result_multiple_inputs', async (_args, context) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if ((await stateOf(context)) && keys.every((key) => answered(context, key))) return done('All there');
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: ask('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ step: 'all' }, context),
    });
  });
  add('test_input_required_result_multi_round', async (_args, context) => {
    const state = await stateOf(context);
    if (state?.step === 'two' && answered(context, 'step2')) return done('Both steps');
    const second = state?.step === 'one' && answered(context, 'step1');
    return inputRequired({
      inputRequests: second
        ? { step2: form('Step 2: What is your favorite color?', 'color') }
        : { step1: form('Step 1: What is your name?', 'name') },
      requestState: await codec.mint({ step: second ? 'two' : 'one' }, context),
    });
  });
  add('test_input_required_result_capabilities', async () => {
    const able = server.server.getClientCapabilities();
    return inputRequired({
      inputRequests: {
        ...(able?.sampling && { question: ask('What is the capital of France?', 100) }),
        ...(able?.elicitation && { user_name: form('What is your name?', 'name') }),
      },
    });
  });
  add('test_missing_capability', async () => {
    if (server.server.getClientCapabilities()?.sampling) return done('It can');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  });
  once('test_streaming_elicitation', 'user_name', form('What is your name?', 'name'));
  const description = 'Asks before it answers';
  server.registerPrompt('test_input_required_result_prompt', { description }, async (context) => {
    if (!answered(context, 'user_context')) {
      return inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: 'With context' } }] };
  });
  return tools;
}
