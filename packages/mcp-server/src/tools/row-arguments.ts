import { type CountRequest, type Filter, filterOperators } from '@trestle/driver-kit';
import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { isRounded } from './plain-changes.ts';

// Arguments that several tools share, with the same name and meaning.

export const tableArguments = {
  connection_id: connectionArgument,
  table: z.string().min(1),
  tenant: z.string().min(1).optional(),
};

const scalars = [z.string(), z.number(), z.boolean()] as const;

const rounded = 'a number beyond 2^53 may have been rounded. Send it as text';

const operators = z.enum(filterOperators);

/** The catalogue lists the operators once: each list costs as many tokens as a short tool. */
export const filterArguments = filterArgumentsWith(operators);
export const sameFilterArguments = filterArgumentsWith(
  operators.meta({ description: 'as in browse_table', isListedElsewhere: true }),
);

function filterArgumentsWith(operator: typeof operators) {
  return {
    filters: z
      .array(
        z.strictObject({
          column: z.string().min(1),
          operator,
          value: z
            .union([...scalars, z.array(z.union(scalars))])
            .refine((value) => ![value].flat().some(isRounded), rounded)
            .optional(),
        }),
      )
      .max(100)
      .default([]),
    match: z.enum(['all', 'any']).default('all'),
  };
}

export const sortArgument = z
  .array(z.strictObject({ column: z.string().min(1), order: z.enum(['asc', 'desc']).default('asc') }))
  .max(20)
  .default([]);

export const columnsArgument = z.array(z.string().min(1)).min(1).max(1_000).optional();

export const vectorsArgument = z.boolean().default(false);

export function limitArgument(preset = 50) {
  return z.int().min(1).max(10_000).default(preset);
}

export function offsetArgument(max = Number.MAX_SAFE_INTEGER) {
  return z.int().min(0).max(max).default(0);
}

interface RowArguments {
  table: string;
  tenant?: string | undefined;
  filters: Filter[];
  match: 'all' | 'any';
}

export function toCountRequest({ table, tenant, filters, match }: RowArguments): CountRequest {
  return { table, filters, match, ...(tenant !== undefined && { partition: tenant }) };
}
