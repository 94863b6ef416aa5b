import type { Core, DataAccess } from '@trestle/core';
import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { tableArgument } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

const columnOutput = z.object({
  name: z.string(),
  type: z.string(),
  native_type: z.string(),
  nullable: z.boolean(),
  in_key: z.boolean(),
  read_only: z.string().optional().describe('Why it cannot be written'),
  deferred: z.boolean().optional().describe('Comes only where it is named or include_vectors is set'),
  default: z.string().optional(),
  unsortable: z.string().optional(),
  operators: z.array(z.string()).describe('Filter operators that run on it'),
  refused_operators: z.array(z.object({ reason: z.string(), operators: z.array(z.string()) })),
  matching: z.string().optional().describe('How text matching works'),
  value_form: z.string().optional(),
  comment: z.string().optional(),
});

export const tableOutput = z.object({
  connection: connectionOutput,
  name: z.string(),
  kind: z.string(),
  query_language: z.enum(['sql', 'graphql']).nullable(),
  partitioned: z.boolean().describe('Every read and write names a tenant'),
  tenants: z.array(z.string()).optional().describe('The first of them that can be read'),
  comment: z.string().optional(),
  key: z.array(z.string()).describe('The columns update_rows and delete_rows name a row by'),
  columns: z.array(columnOutput),
  cannot: z
    .object({ insert: z.string(), update: z.string(), delete: z.string() })
    .partial()
    .optional()
    .describe('Why rows cannot be inserted, updated or deleted'),
  indexes: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      unique: z.boolean(),
      detail: z.string().optional(),
    }),
  ),
  foreign_keys: z.array(
    z.object({ columns: z.array(z.string()), table: z.string(), references: z.array(z.string()) }),
  ),
  searches: z
    .object({
      modes: z.array(z.object({ mode: z.string(), refusal: z.string().optional() })),
      target_vectors: z.array(z.string()),
    })
    .optional()
    .describe('What vector_search takes here'),
  definition: z.string().optional(),
  example_query: z.string().describe('Runs as it stands in execute_query'),
  notes: z.array(z.string()),
});

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe a table',
  description:
    'Columns, key, indexes, which filters and searches run, and an example query that works as it stands. ' +
    'Call this before writing a query.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
  }),
  output: tableOutput,
  async run({ connection_id, table }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    const access = accessTo(connection.id);
    const structured = await readDescription(core, access, connection, table);
    return dataAnswer(structured, `the database "${connection.name}"`);
  },
});

/** All that a model needs to write a query on this table that runs. */
export async function readDescription(
  core: Core,
  access: DataAccess,
  connection: { id: string; name: string },
  table: string,
): Promise<z.input<typeof tableOutput>> {
  return presentDescription(core, access, connection, await core.data.describe(access, table));
}

export async function presentDescription(
  core: Core,
  access: DataAccess,
  connection: { id: string; name: string },
  described: TableDescription,
): Promise<z.input<typeof tableOutput>> {
  const budget = new AnswerBudget();
  const tenants = described.partitioned ? await readTenants(core, access, described.name) : undefined;
  const driver = core.connections.get(connection.id)?.driver;
  const manifest = driver === undefined ? undefined : core.drivers.get(driver);
  return {
    connection,
    ...presentTable(described, tenants, budget),
    query_language: manifest?.editor.language ?? null,
  };
}

const maxTenants = 20;

async function readTenants(core: Core, access: DataAccess, table: string): Promise<string[]> {
  const all = await core.data.partitions(access, table);
  return all.filter((tenant) => tenant.unavailable === undefined).map((tenant) => tenant.name);
}

function presentTable(table: TableDescription, tenants: string[] | undefined, budget: AnswerBudget) {
  const notes = [...table.notes];
  // A driver does not know the tenants when it writes its examples.
  const ofTenant = (text: string) =>
    tenants?.[0] ? text.replaceAll('"<tenant>"', JSON.stringify(tenants[0])) : text;
  const definition =
    table.definition !== undefined && budget.take(table.definition) ? table.definition : undefined;
  const shown = table.columns.filter((column) => !column.hidden || table.key.includes(column.name));
  const all = shown.map(describeColumn);
  const columns = budget.takeAll(all);
  if (columns.length < all.length) {
    notes.push(`Cut after ${columns.length} of ${all.length} columns to stay under 1 MB.`);
  }
  if (tenants && tenants.length > maxTenants) notes.push(`There are ${tenants.length} tenants.`);
  const { comment, searches } = table;
  return {
    name: table.name,
    kind: table.kind,
    partitioned: table.partitioned ?? false,
    ...(tenants && { tenants: budget.takeAll(tenants.slice(0, maxTenants)) }),
    ...(comment !== undefined && { comment }),
    key: table.key,
    columns,
    ...(table.readOnly && { cannot: table.readOnly }),
    indexes: budget.takeAll(
      table.indexes.map(({ name, columns, unique, detail }) => ({
        name,
        columns,
        unique,
        ...(detail !== undefined && { detail }),
      })),
    ),
    foreign_keys: budget.takeAll(table.foreignKeys),
    ...(searches && { searches: { modes: searches.modes, target_vectors: searches.targetVectors } }),
    ...(definition !== undefined && { definition }),
    example_query: ofTenant(table.exampleQuery),
    notes: notes.map(ofTenant),
  };
}

function describeColumn(column: ColumnDescription): z.input<typeof columnOutput> {
  const { readOnly, defaultText, unsortable, matching, valueForm, comment } = column;
  return {
    name: column.name,
    type: column.type,
    native_type: column.nativeType,
    nullable: column.nullable,
    in_key: column.inKey,
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(column.deferred && { deferred: true }),
    ...(defaultText !== undefined && { default: defaultText }),
    ...(unsortable !== undefined && { unsortable }),
    operators: column.operators.filter((entry) => !entry.refusal).map((entry) => entry.operator),
    refused_operators: refusalsByReason(column),
    ...(matching !== undefined && { matching }),
    ...(valueForm !== undefined && { value_form: valueForm }),
    ...(comment !== undefined && { comment }),
  };
}

function refusalsByReason(column: ColumnDescription): { reason: string; operators: string[] }[] {
  const refused = column.operators.filter((entry) => entry.refusal);
  const groups = Map.groupBy(refused, (entry) => entry.refusal as string);
  return [...groups].map(([reason, entries]) => ({
    reason,
    operators: entries.map((entry) => entry.operator),
  }));
}
