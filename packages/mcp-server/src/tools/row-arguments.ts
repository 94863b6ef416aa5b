import { type CountRequest, type Filter, filterOperators } from '@trestle/driver-kit';
import { z } from 'zod';

/** Arguments that mean the same in every tool, under the same name. */

export const tableArgument = z.string().min(1).describe('Name from list_tables');

export const tenantArgument = z
  .string()
  .min(1)
  .optional()
  .describe('Needed where list_tables says the table is partitioned; describe_table names some');

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const filterArguments = {
  filters: z
    .array(
      z.strictObject({
        column: z.string().min(1),
        operator: z.enum(filterOperators),
        value: z
          .union([scalar, z.array(scalar)])
          .optional()
          .describe('A scalar; a list for in_list and not_in_list; two bounds for between; none for is_…'),
      }),
    )
    .max(100)
    .default([])
    .describe('describe_table says which operators each column takes'),
  match: z.enum(['all', 'any']).default('all').describe('Whether all filters must hold, or any of them'),
};

export const sortArgument = z
  .array(z.strictObject({ column: z.string().min(1), order: z.enum(['asc', 'desc']).default('asc') }))
  .max(20)
  .default([]);

export const columnsArgument = z
  .array(z.string().min(1))
  .min(1)
  .max(1_000)
  .optional()
  .describe('Only these columns; the key comes along. Left out: all but vectors');

export const vectorsArgument = z.boolean().default(false).describe('Vectors are left out unless asked for');

export const maxRows = 10_000;

export function limitArgument(preset = 500) {
  return z.int().min(1).max(maxRows).default(preset).describe('At most this many rows');
}

export interface RowArguments {
  table: string;
  tenant?: string | undefined;
  filters: Filter[];
  match: 'all' | 'any';
}

export function toCountRequest({ table, tenant, filters, match }: RowArguments): CountRequest {
  return { table, filters, match, ...(tenant !== undefined && { partition: tenant }) };
}
