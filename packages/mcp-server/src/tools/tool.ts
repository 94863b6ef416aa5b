import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Caller, Core } from '@trestle/core';
import { z } from 'zod';

/** What an AI client can call. Written with `defineTool`, one file each, listed in index.ts. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: StandardSchemaWithJSON;
  output: StandardSchemaWithJSON;
  run(args: unknown, call: ToolCall): Promise<ToolAnswer>;
}

export interface ToolCall {
  core: Core;
  caller: Caller;
  /** Aborted when the client cancels or goes away, and not after the call is over. */
  signal: AbortSignal;
}

export interface ToolAnswer {
  /** Conforms to the output schema. */
  structured: Record<string, unknown>;
  /** The same for clients that read text only. */
  text: string;
}

interface Definition<Input extends z.ZodType, Output extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** All four, since each default is the worst case. */
  annotations: Required<Omit<ToolAnnotations, 'title'>>;
  input: Input;
  output: Output;
  run(args: z.output<Input>, call: ToolCall): Promise<{ structured: z.input<Output>; text: string }>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  return {
    ...definition,
    input: hoist(definition.input, 'input'),
    output: hoist(definition.output, 'output'),
    run: (args, call) => definition.run(args as z.output<Input>, call),
  };
}

/** A server instance is made for each request: its schemas must not be converted to JSON Schema each time. */
function hoist(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => schema['~standard'].validate(value),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
