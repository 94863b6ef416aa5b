import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A server instance is made for each request: its schemas must not be converted to JSON Schema each time. */
export function hoist(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
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
