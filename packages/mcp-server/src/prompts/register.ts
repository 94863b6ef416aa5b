import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type Caller, own } from '@trestle/core';
import { ownLines, promptResult } from '../answer/answer.ts';
import { protocolFailure } from '../errors.ts';
import { askedOf } from '../keep-alive.ts';
import { type Serving, serveCall } from '../serve-call.ts';
import { prompts } from './index.ts';
import { type PromptArguments, promptSchema } from './prompt.ts';

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
        const given = args as PromptArguments;
        const { text: data } = await serveCall(serving, request, (call) => prompt.data(given, call));
        return promptResult(description, ownLines([...prompt.words(given), own``, data]));
      } catch (error) {
        throw protocolFailure(error, serving.log);
      }
    });
  }
}
