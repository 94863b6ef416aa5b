import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { defineTool } from './tool.ts';

const columnOutput = z.object({
  name: z.string(),
  type: z.string(),
  native_type: z.string(),
  nullable: z.boolean(),
  in_key: z.boolean(),
  read_only: z.string().optional().describe('Why it cannot be written'),
  default: z.string().optional(),
  unsortable: z.string().optional(),
  operators: z.array(z.string()).describe('Filter operators that run on it'),
  refused_operators: z.array(z.object({ reason: z.string(), operators: z.array(z.string()) })),
  matching: z.string().optional().describe('How text matching works'),
  value_form: z.string().optional(),
  comment: z.string().optional(),
});

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe a table',
  description:
    'Columns, key, indexes, which filters and searches run, and an example query that works as it stands. ' +
    'Call this before writing a query.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: z.string().min(1).describe('Name from list_tables'),
  }),
  output: z.object({
    connection: connectionOutput,
    name: z.string(),
    kind: z.string(),
    partitioned: z.boolean(),
    comment: z.string().optional(),
    key: z.array(z.string()),
    columns: z.array(columnOutput),
    indexes: z.array(z.object({ name: z.string(), columns: z.array(z.string()), unique: z.boolean() })),
    foreign_keys: z.array(
      z.object({ columns: z.array(z.string()), table: z.string(), references: z.array(z.string()) }),
    ),
    searches: z
      .object({
        modes: z.array(z.object({ mode: z.string(), refusal: z.string().optional() })),
        target_vectors: z.array(z.string()),
      })
      .optional(),
    definition: z.string().optional(),
    example_query: z.string(),
    notes: z.array(z.string()),
  }),
  async run({ connection_id, table }, { core, caller, signal }) {
    const connection = findConnection(core, caller, connection_id);
    const described = await core.data.describe({ caller, connectionId: connection.id, signal }, table);
    return dataAnswer({ connection, ...describe(described) }, `the database "${connection.name}"`);
  },
});

function describe(table: TableDescription) {
  const budget = new AnswerBudget();
  const notes = [...table.notes];
  const definition =
    table.definition !== undefined && budget.take(table.definition) ? table.definition : undefined;
  const shown = table.columns.filter((column) => !column.hidden || table.key.includes(column.name));
  const all = shown.map(describeColumn);
  const columns = budget.takeAll(all);
  if (columns.length < all.length) {
    notes.push(`Cut after ${columns.length} of ${all.length} columns to stay under 1 MB.`);
  }
  const { comment, searches } = table;
  return {
    name: table.name,
    kind: table.kind,
    partitioned: table.partitioned ?? false,
    ...(comment !== undefined && { comment }),
    key: table.key,
    columns,
    indexes: budget.takeAll(table.indexes.map(({ name, columns, unique }) => ({ name, columns, unique }))),
    foreign_keys: budget.takeAll(table.foreignKeys),
    ...(searches && { searches: { modes: searches.modes, target_vectors: searches.targetVectors } }),
    ...(definition !== undefined && { definition }),
    example_query: table.exampleQuery,
    notes,
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
