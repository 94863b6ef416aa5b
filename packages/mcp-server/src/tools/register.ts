import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RegisteredTool,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { AppError, type Caller } from '@trestle/core';
import { askedOf } from '../asked.ts';
import { failureResult, toolFailure } from '../errors.ts';
import type { Asked } from '../keep-alive.ts';
import { recordCall, type Serving, serveCall } from '../serve-call.ts';
import { tools } from './index.ts';
import type { Tool, ToolAnswer } from './tool.ts';

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
    const handler = (args: unknown, context: ServerContext) =>
      runTool(tool, { args, asked: askedOf(context), caller: callerOf(context) }, serving);
    registered.set(name, server.registerTool(name, config, handler));
  }
  return registered;
}

export interface ToolRequest {
  args: unknown;
  asked: Asked;
  caller: Caller;
}

/** A tool of ours, whether or not the protocol layer has a part in the call. */
export function callOwnTool(tool: Tool, request: ToolRequest, serving: Serving): Promise<CalledResult> {
  const { args, caller } = request;
  const run = (checked: unknown) => runTool(tool, { ...request, args: checked }, serving);
  return callTool({ name: tool.name, args, caller, input: tool.input, run }, serving);
}

export interface CalledTool {
  name: string;
  args: unknown;
  caller: Caller;
  input: StandardSchemaWithJSON | undefined;
  run(checked: unknown): Promise<CalledResult>;
}

type CalledResult = CallToolResult | InputRequiredResult;

/** Checks the arguments, runs the tool, and puts its failure into the channel it belongs to. */
export async function callTool(
  { name, args, caller, input, run }: CalledTool,
  serving: Serving,
): Promise<CalledResult> {
  const started = performance.now();
  const parsed = await input?.['~standard'].validate(args ?? {});
  if (parsed?.issues) {
    const message = parsed.issues.map(({ path, message }) => `${pathText(path)}${message}`).join('; ');
    const details = { message, hint: "The tool's input schema has the exact form." };
    const failure = new AppError({ code: 'invalid_argument', message: 'The arguments do not fit the tool' });
    recordCall(serving.core, { action: name, caller, failure, started });
    return failureResult('invalid_argument', details);
  }
  try {
    return await run(parsed?.value);
  } catch (error) {
    return toolFailure(error, serving.log);
  }
}

async function runTool(tool: Tool, request: ToolRequest, serving: Serving): Promise<CallToolResult> {
  const { args, asked, caller } = request;
  const served = { asked, caller, action: tool.name };
  return toResult(await serveCall(serving, served, (call) => tool.run(args, call)));
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
