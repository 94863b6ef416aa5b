import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '@trestle/core';
import { askedOf } from '../asked.ts';
import { protocolFailure } from '../errors.ts';
import { type Serving, serveCall } from '../serve-call.ts';
import { prompts } from './index.ts';
import { type PromptArgument, promptSchema } from './prompt.ts';

const schemas = new Map(prompts.map((prompt) => [prompt.name, promptSchema(prompt)]));

export function registerPrompts(
  server: McpServer,
  serving: Serving,
  callerOf: (context: ServerContext) => Caller,
): void {
  for (const prompt of prompts) {
    const { name, title, description } = prompt;
    const argsSchema = schemas.get(name);
    if (!argsSchema) continue;
    server.registerPrompt(name, { title, description, argsSchema }, async (args, context) => {
      const request = { asked: askedOf(context), caller: callerOf(context), action: `prompt ${name}` };
      try {
        const text = await serveCall(serving, request, (call) =>
          prompt.render(args as Partial<Record<PromptArgument, string>>, call),
        );
        return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
      } catch (error) {
        throw protocolFailure(error, serving.log);
      }
    });
  }
}
