import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * Converts a schema to JSON Schema once, since a server instance is created for each request. The result has no
 * `$schema`: its dialect is the protocol's default, and an older validator would reject a dialect that it does not
 * know. Limits that a model rarely reaches are checked but not listed, since every word costs tokens.
 */
export function hoist(schema: z.ZodType): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of unlisted) delete jsonSchema[key];
      if (jsonSchema.isListedElsewhere) {
        delete jsonSchema.isListedElsewhere;
        delete jsonSchema.enum;
      }
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

/** A default that a reader expects: an empty list, 0, false, or the first choice. */
function isExpected(value: unknown, choices: unknown[] | undefined): boolean {
  if (choices) return value === choices[0];
  return value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

/**
 * Turns an `anyOf` into one list of types if each member has a type. The JSON Schema then
 * allows any items in an array, but `validate` still checks the items.
 */
function shortenUnion(json: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = json;
  if (!anyOf?.every((one) => typeof one.type === 'string')) return;
  delete json.anyOf;
  json.type = [...new Set(anyOf.map((one) => one.type))] as unknown as 'string';
  if (anyOf.some((one) => one.type === 'array')) json.items = {};
}
