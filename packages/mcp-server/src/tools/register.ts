import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RegisteredTool,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { AppError, type Caller, own } from '@trestle/core';
import { type Effect, exceeds } from '@trestle/driver-kit';
import { toolResult } from '../answer/answer.ts';
import { failureResult, toolFailure } from '../errors.ts';
import { askedOf } from '../keep-alive.ts';
import { recordCall, type Serving, serveCall } from '../serve-call.ts';
import { tools } from './index.ts';
import type { Tool } from './tool.ts';

interface Registering {
  callerOf: (context: ServerContext) => Caller;
  /** The strongest effect that the client's token allows on any connection. */
  ceiling: Effect;
  only: string | undefined;
}

/** Registers all tools, or only the tool with the name `only`. */
export function registerTools(
  server: McpServer,
  serving: Serving,
  { callerOf, ceiling, only }: Registering,
): Map<string, RegisteredTool> {
  const registered = new Map<string, RegisteredTool>();
  for (const tool of tools) {
    const { name, title, annotations, input } = tool;
    if (only !== undefined && name !== only) continue;
    const config = { title, description: descriptionOf(tool, ceiling), annotations, inputSchema: input };
    const handler = async (args: unknown, context: ServerContext) => {
      const request = { asked: askedOf(context), caller: callerOf(context), action: name };
      return toolResult(await serveCall(serving, request, (call) => tool.run(args, call)));
    };
    registered.set(name, server.registerTool(name, config, handler));
  }
  return registered;
}

/** A model should not try a tool that its token can never run. */
function descriptionOf({ description, needs }: Tool, ceiling: Effect): string {
  if (needs === undefined || !exceeds(needs, ceiling)) return description;
  return needs === 'destroy'
    ? 'Not with your token: the user runs a destructive statement in Trestle, or with `trestle query`.'
    : `${description} Not with your token: it only reads.`;
}

interface CalledTool {
  name: string;
  args: unknown;
  caller: Caller;
  input: StandardSchemaWithJSON | undefined;
  run(checked: unknown): Promise<CalledResult>;
}

type CalledResult = CallToolResult | InputRequiredResult;

/** Checks the arguments and runs the tool. Returns a failure as a tool result, or throws it (see `toolFailure`). */
export async function callTool(
  { name, args, caller, input, run }: CalledTool,
  serving: Serving,
): Promise<CalledResult> {
  const started = performance.now();
  const parsed = await input?.['~standard'].validate(args ?? {});
  if (parsed?.issues) {
    const problems = parsed.issues.map(({ path, message }) => `${pathText(path)}${message}`).join('; ');
    const failure = new AppError({ code: 'invalid_argument', message: misfit });
    const details = { message: misfit, hints: [formHint], quoted: problems };
    recordCall(serving.core, { action: name, caller, failure, started });
    return failureResult('invalid_argument', details);
  }
  try {
    return await run(parsed?.value);
  } catch (error) {
    return toolFailure(error, serving.log);
  }
}

const misfit = own`The arguments do not fit the tool`;
const formHint = own`The tool's input schema has the exact form.`;

function pathText(path: readonly (PropertyKey | { key: PropertyKey })[] | undefined): string {
  const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length > 0 ? `${keys.join('.')}: ` : '';
}
