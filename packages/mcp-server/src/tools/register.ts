import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RegisteredTool,
  ServerContext,
} from '@modelcontextprotocol/server';
import { AppError, type Caller } from '@trestle/core';
import { failureResult, toolFailure } from '../errors.ts';
import { recordCall, type Serving, serveCall } from '../serve-call.ts';
import { tools } from './index.ts';
import type { ToolAnswer } from './tool.ts';

export function registerTools(
  server: McpServer,
  serving: Serving,
  {
    callerOf,
    only,
  }: {
    callerOf: (context: ServerContext) => Caller;
    /** The one tool that is needed; all where it is not said. */
    only?: string | null | undefined;
  },
): Map<string, RegisteredTool> {
  const registered = new Map<string, RegisteredTool>();
  for (const tool of tools.filter((one) => only === undefined || only === null || one.name === only)) {
    const { name, title, description, annotations, input, output } = tool;
    const config = { title, description, annotations, inputSchema: input, outputSchema: output };
    const handler = async (args: unknown, context: ServerContext) => {
      const request = { context, caller: callerOf(context), action: name };
      return toResult(await serveCall(serving, request, (call) => tool.run(args, call)));
    };
    registered.set(name, server.registerTool(name, config, handler));
  }
  return registered;
}

export interface CalledTool {
  name: string;
  args: unknown;
  context: ServerContext;
  caller: Caller;
}

/** Checks the arguments, runs the tool, and puts its failure into the channel it belongs to. */
export async function callTool(
  tool: RegisteredTool,
  { name, args, context, caller }: CalledTool,
  serving: Serving,
): Promise<CallToolResult | InputRequiredResult> {
  const started = performance.now();
  const parsed = await tool.inputSchema?.['~standard'].validate(args ?? {});
  if (parsed?.issues) {
    const message = parsed.issues.map(({ path, message }) => `${pathText(path)}${message}`).join('; ');
    const details = { message, hint: "The tool's input schema has the exact form." };
    const failure = new AppError({ code: 'invalid_argument', message: 'The arguments do not fit the tool' });
    recordCall(serving.core, { action: name, caller, failure, started });
    return failureResult('invalid_argument', details);
  }
  try {
    return await tool.executor(parsed?.value, context);
  } catch (error) {
    return toolFailure(error, serving.log);
  }
}

function toResult({ text, structured, links = [] }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))],
    structuredContent: structured,
  };
}

function pathText(path: readonly (PropertyKey | { key: PropertyKey })[] | undefined): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length > 0 ? `${keys.join('.')}: ` : '';
}
