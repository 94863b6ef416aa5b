import type { Design, DesignProblem } from '@trestle/driver-kit';
import { asciiLower } from '../table.ts';
import { columnOf, indexOf } from './table-design.ts';

/** Why SQLite would refuse this design. */
export function problemsOf(
  { name, parts, fields }: Design,
  { taken, isNew, indexNames }: { taken: string[]; isNew: boolean; indexNames: string[] },
): DesignProblem[] {
  const columns = (parts.columns ?? []).map(columnOf);
  const indexes = (parts.indexes ?? []).map(indexOf);
  const names = new Set(columns.map((column) => asciiLower(column.name)));
  const keys = columns.filter(({ key }) => key);
  return [
    ...(isNew ? nameProblems(name, taken) : []),
    ...(columns.length === 0 ? [{ problem: 'A table needs a column.' }] : []),
    ...(fields.withoutRowid === true && keys.length === 0
      ? [{ field: 'withoutRowid', problem: 'A table without rowid needs a key.' }]
      : []),
    ...columns.flatMap((column, at): DesignProblem[] => {
      const place = { part: 'columns', item: [at] };
      const first = columns.findIndex((other) => asciiLower(other.name) === asciiLower(column.name));
      if (column.name === '') return [{ ...place, field: 'name', problem: 'Give the column a name.' }];
      if (first < at)
        return [{ ...place, field: 'name', problem: `Two columns have the name ${column.name}.` }];
      if (fields.strict === true && !strictTypes.has(column.type))
        return [{ ...place, field: 'type', problem: 'A strict table has no column of this type.' }];
      return [];
    }),
    ...indexes.flatMap((index, at): DesignProblem[] => {
      const place = { part: 'indexes', item: [at] };
      const { from } = parts.indexes![at]!;
      if (from !== index.name && indexNames.some((one) => asciiLower(one) === asciiLower(index.name)))
        return [{ ...place, field: 'name', problem: `The index ${index.name} exists already.` }];
      if (index.name === '') return [{ ...place, field: 'name', problem: 'Give the index a name.' }];
      if (index.columns.length === 0)
        return [{ ...place, field: 'columns', problem: 'Choose the columns of the index.' }];
      const missing = index.columns.filter((column) => !names.has(asciiLower(column)));
      return missing.length === 0
        ? []
        : [{ ...place, field: 'columns', problem: `There is no column ${missing.join(', ')}.` }];
    }),
  ];
}

const strictTypes = new Set(['TEXT', 'INTEGER', 'INT', 'REAL', 'BLOB', 'ANY']);

function nameProblems(name: string, taken: string[]): DesignProblem[] {
  const field = 'name';
  if (name.trim() === '') return [{ field, problem: 'Give the table a name.' }];
  if (/^sqlite_/i.test(name))
    return [{ field, problem: 'SQLite keeps names that begin with sqlite_ for itself.' }];
  const other = taken.find((one) => asciiLower(one) === asciiLower(name));
  return other === undefined ? [] : [{ field, problem: `The table ${other} exists already.` }];
}
