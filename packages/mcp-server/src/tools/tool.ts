import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Caller, Core, DataAccess, OwnText } from '@trestle/core';
import type { Effect } from '@trestle/driver-kit';
import type { z } from 'zod';
import type { ToolAnswer } from '../answer/answer.ts';
import { hoist } from '../hoisted-schema.ts';

/** An operation that an AI client can call. Defined with `defineTool`, one file each, listed in index.ts. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** What a token must allow, if it is more than reading. */
  needs?: NeededEffect | undefined;
  input: StandardSchemaWithJSON;
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

export interface ToolCall {
  core: Core;
  caller: Caller;
  /** Aborted at the deadline, or when the client cancels the call or disconnects, but not after the call has ended. */
  signal: AbortSignal;
  /**
   * Access for one or more core calls. The core logs these calls, so `serveCall` then logs nothing. A tool call that
   * requests access and makes no core call would not be logged.
   */
  accessTo(connectionId: string): DataAccess;
  /** Reports progress to a client that asked for it, such as "120 of 400 rows". */
  report(message: OwnText): void;
  /** The folder of exports. */
  exportsFolder: string;
  /** Undefined if no window can be opened. */
  openTable?: OpenTable | undefined;
}

/** Shows a table in a window of the app. False if no window shows it. */
export type OpenTable = (request: {
  connectionId: string;
  table: string;
  tenant?: string;
}) => Promise<boolean>;

/** Annotations of a tool that only reads. */
export const readAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

type NeededEffect = Exclude<Effect, 'read'>;

interface Definition<Input extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** All four annotations are required: MCP assumes the worst case for a missing annotation. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>;
  needs?: NeededEffect;
  input: Input;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolAnswer>;
}

export function defineTool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  return {
    ...definition,
    input: hoist(definition.input),
    run: (args, call) => definition.run(args as z.output<Input>, call),
  };
}
