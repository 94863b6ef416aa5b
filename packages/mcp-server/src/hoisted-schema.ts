import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * A server instance is made for each request: its schemas must not be converted to JSON Schema each time. Without
 * `$schema` they are in the protocol's own dialect, and a validator of an older one takes them too. A model pays for
 * every word of them: limits that it will hardly meet are checked, and not listed.
 */
export function hoist(schema: z.ZodType): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of unlisted) delete jsonSchema[key];
      if (isExpected(jsonSchema.default, jsonSchema.enum)) delete jsonSchema.default;
      shortenUnion(jsonSchema);
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

const unlisted = [
  'additionalProperties',
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
] as const;

/** A default that a reader expects: nothing, no, or the first of the choices. */
function isExpected(value: unknown, choices: unknown[] | undefined): boolean {
  if (choices) return value === choices[0];
  return value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** `anyOf` of plain types is one list of types. */
function shortenUnion(json: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = json;
  if (!anyOf?.every((one) => typeof one.type === 'string')) return;
  delete json.anyOf;
  json.type = [...new Set(anyOf.map((one) => one.type))] as unknown as 'string';
  if (anyOf.some((one) => one.type === 'array')) json.items = {};
}
