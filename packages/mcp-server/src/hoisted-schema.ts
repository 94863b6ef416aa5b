import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * A server instance is made for each request: its schemas must not be converted to JSON Schema each time. Without
 * `$schema` they are in the protocol's own dialect, and a validator of an older one takes them too.
 */
export function hoist(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    // A field that an answer gains later must not break a client that kept the list of tools.
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => schema['~standard'].validate(value),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
