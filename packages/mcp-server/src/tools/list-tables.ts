import { type Core, joinOwn, oneLine, own } from '@trestle/core';
import type { TableDescription, TableSummary } from '@trestle/driver-kit';
import { z } from 'zod';
import { linesAnswer, type ToolAnswer, theDatabase } from '../answer/answer.ts';
import { nameText } from '../answer/cell-text.ts';
import { kindText } from '../description/column-text.ts';
import { connectionArgument, type OpenedConnection, openConnection } from './connection-argument.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description:
    'Tables, views, collections. With search: tables and columns whose name, comment or column type contains it.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    search: z.string().trim().min(1).optional(),
  }),
  async run({ connection_id, search }, call) {
    const opened = openConnection(call, connection_id);
    return search === undefined ? tablesAnswer(call.core, opened) : matchesAnswer(call.core, opened, search);
  },
});

export async function tablesAnswer(core: Core, { access }: OpenedConnection): Promise<ToolAnswer> {
  const tables = await core.data.tables(access);
  if (tables.length === 0) return { text: own`The database has no tables.` };
  const cut = (shown: number) =>
    own`Cut after ${shown} of ${tables.length} tables; list_tables with search finds the others.`;
  return linesAnswer(theDatabase, tables.map(summaryText), { cut });
}

/** Columns are searched in this many tables at most: a driver may need one request per table. */
const maxDescribed = 200;

async function matchesAnswer(core: Core, { access }: OpenedConnection, search: string): Promise<ToolAnswer> {
  const wanted = search.toLowerCase();
  const has = (...texts: (string | undefined)[]) =>
    texts.some((text) => text?.toLowerCase().includes(wanted));
  const tables = await core.data.tables(access);
  const { tables: described } = await core.data.describeAll(access, { limit: maxDescribed });
  const lines = [
    ...tables.filter(({ name, comment }) => has(name, comment)).map(summaryText),
    ...described.flatMap((table) => columnMatches(table, has)),
  ];
  const notes =
    tables.length > maxDescribed
      ? [own`Columns were searched in the first ${maxDescribed} of ${tables.length} tables.`]
      : [];
  if (lines.length === 0) return { text: joinOwn([own`Nothing matches.`, ...notes], own` `) };
  const cut = (shown: number) => own`Cut after ${shown} of ${lines.length} matches; narrow search.`;
  return linesAnswer(theDatabase, lines, { cut, notes });
}

function summaryText(table: TableSummary): string {
  const kind = kindText(table);
  const { name, comment } = table;
  return `${nameText(name)}${kind && ` (${kind})`}${comment ? `: ${oneLine(comment)}` : ''}`;
}

function columnMatches(
  { name, columns }: TableDescription,
  has: (...texts: (string | undefined)[]) => boolean,
): string[] {
  return columns
    .filter((column) => !column.hidden && has(column.name, column.nativeType, column.comment))
    .map(
      (column) =>
        `${nameText(name)}.${nameText(column.name)} ${oneLine(column.nativeType)}${column.comment ? `: ${oneLine(column.comment)}` : ''}`,
    );
}
