import { AppError, type Core, type DataAccess, own } from '@trestle/core';
import { cellAt, type RowSet } from '@trestle/driver-kit';
import { rowNumbers } from '../answer/rows-text.ts';

interface Named {
  table: string;
  tenant?: string | undefined;
  object_id?: string | undefined;
  object_column?: string | undefined;
}

/**
 * The uuid for a search by object. Undefined without `object_id`. Without `object_column`, or if the table has no
 * searches, the uuid is `object_id` itself. Otherwise `object_id` is a value of `object_column`, and the filter
 * `equals` looks for objects with this value. The result is the uuid of the match. If several objects match, the one with
 * exactly this value is used. The function throws if no object matches, or if more than one object may be meant.
 */
export async function findObject(
  core: Core,
  access: DataAccess,
  { table, tenant, object_id: value, object_column: column }: Named,
): Promise<string | undefined> {
  if (column === undefined || value === undefined) return value;
  const { key, searches } = await core.data.describe(access, table);
  // For a table without searches, the later search reports the problem.
  if (!searches) return value;
  const { rows } = await core.data.browse(access, {
    table,
    ...(tenant !== undefined && { partition: tenant }),
    filters: [{ column, operator: 'equals', value }],
    match: 'all',
    columns: [column],
    sort: [],
    limit: maxCandidates,
    offset: 0,
  });
  const at = (name: string | undefined) => rows.columns.findIndex((head) => head.name === name);
  const candidates = rowNumbers(rows).map((row) => ({
    key: String(cellAt(rows, at(key[0]), row)),
    value: String(cellAt(rows, at(column), row)),
  }));
  // If the database matches text by words, `equals` may also find objects with other values.
  const exact = candidates.filter((one) => one.value === value);
  const others = candidates.filter((one) => one.value !== value);
  // If the page is full, a second object with the exact value may lie beyond it.
  const isWhole = rows.rowCount < maxCandidates;
  const [found, ...more] = isWhole && exact.length > 0 ? exact : [...exact, ...others];
  if (!found) {
    throw new AppError({
      code: 'not_found',
      message: `No object of ${table} has ${column} = ${JSON.stringify(value)}`,
      hint: own`Call browse_table with the operator contains to find the exact value.`,
    });
  }
  if (more.length === 0) return found.key;
  const named = [found, ...more].slice(0, maxNamed).map((one) => `${one.key} (${one.value})`);
  throw new AppError({
    code: 'invalid_argument',
    message: own`Several objects match`,
    hint: own`Pass one of these uuids as object_id, without object_column.`,
    quoted: `${named.join(', ')}${more.length < maxNamed ? '' : ' and others'}`,
  });
}

/** As many as in the largest page of the grid. */
const maxCandidates = 1_000;
const maxNamed = 5;

/** The indexes of all rows except the row with the uuid `objectId`. */
export function othersThan(objectId: string, rows: RowSet): number[] {
  const uuids = rows.columns.findIndex(({ type }) => type === 'uuid');
  const isObject = (row: number) => String(cellAt(rows, uuids, row)).toLowerCase() === objectId.toLowerCase();
  return uuids === -1 ? rowNumbers(rows) : rowNumbers(rows).filter((row) => !isObject(row));
}
