import { isDeepStrictEqual } from 'node:util';
import type { Design, DesignItem, DesignStep } from '@trestle/driver-kit';
import { nameIn } from '../create-table.ts';
import { quoteIdentifier } from '../sql.ts';
import { asciiLower } from '../table.ts';
import {
  type ColumnDesign,
  columnOf,
  designOfDefinition,
  type IndexDesign,
  indexOf,
} from './table-design.ts';

/** The statements that make a table. */
export function creationSteps(design: Design, indexNames: string[]): DesignStep[] {
  const { name } = design;
  const copied = copyOfDefinition(design);
  const lost = copied === undefined && design.definition !== undefined;
  return [
    {
      later: 'now',
      title: `Create the table ${name}`,
      text: copied ?? createTable(design),
      ...(lost && {
        cost: 'Of the definition, the form shows columns and plain indexes only: no foreign keys, checks and generated columns are made.',
      }),
      undo: 'Drop the table.',
      changes: [],
    },
    ...(design.parts.indexes ?? []).map((item) => {
      const index = indexOf(item);
      // Names of indexes are unique in a file, so an index of a copied table gets another one.
      const isTaken = indexNames.some((one) => asciiLower(one) === asciiLower(index.name));
      return addIndex(name, isTaken ? { ...index, name: [name, ...index.columns].join('_') } : index);
    }),
  ];
}

/** The definition with the new name, if the design still says the same. It may have parts that the form does not show. */
function copyOfDefinition({ name, definition, fields, parts }: Design): string | undefined {
  if (definition === undefined) return undefined;
  const read = designOfDefinition(definition);
  const columns = (one: DesignItem[] = []) => one.map(columnOf);
  const isSame =
    isDeepStrictEqual(columns(read.parts.columns), columns(parts.columns)) &&
    (read.fields.strict ?? false) === (fields.strict ?? false) &&
    (read.fields.withoutRowid ?? false) === (fields.withoutRowid ?? false);
  if (!isSame) return undefined;
  const { start, end } = nameIn(definition);
  return `${definition.slice(0, start)}${quoteIdentifier(name)}${definition.slice(end)}`;
}

function createTable({ name, fields, parts }: Design): string {
  const columns = (parts.columns ?? []).map(columnOf);
  const keys = columns.filter(({ key }) => key);
  const lines = [
    ...columns.map((column) => `  ${columnText(column, { isOnlyKey: keys.length === 1 && column.key })}`),
    ...(keys.length > 1
      ? [`  PRIMARY KEY (${keys.map((one) => quoteIdentifier(one.name)).join(', ')})`]
      : []),
  ];
  const options = [
    ...(fields.strict === true ? ['STRICT'] : []),
    ...(fields.withoutRowid === true ? ['WITHOUT ROWID'] : []),
  ].join(', ');
  return `CREATE TABLE ${quoteIdentifier(name)} (\n${lines.join(',\n')}\n)${options && ` ${options}`};`;
}

function columnText(column: ColumnDesign, { isOnlyKey }: { isOnlyKey: boolean }): string {
  return [
    quoteIdentifier(column.name),
    column.type,
    ...(isOnlyKey ? ['PRIMARY KEY'] : []),
    ...(column.required ? ['NOT NULL'] : []),
    ...(column.unique ? ['UNIQUE'] : []),
    // The value is SQL that the user wrote. It runs through the gate like any statement.
    ...(column.default === '' ? [] : [`DEFAULT (${column.default})`]),
  ]
    .filter(Boolean)
    .join(' ');
}

function addIndex(table: string, { name, columns, unique }: IndexDesign): DesignStep {
  const names = columns.map(quoteIdentifier).join(', ');
  return {
    later: 'now',
    title: `Add the index ${name}`,
    text: `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteIdentifier(name)} ON ${quoteIdentifier(table)} (${names});`,
    cost: `Each write to ${table} takes a little longer.`,
    undo: 'Drop the index.',
    changes: [],
  };
}

/** The statements between two designs of one table. `from` of an item is its name in `before`. */
export function stepsBetween(before: Design, after: Design): DesignStep[] {
  const { name: table } = before;
  const quoted = quoteIdentifier(table);
  const was = pairs(before.parts.columns, after.parts.columns, columnOf);
  const indexes = pairs(before.parts.indexes, after.parts.indexes, indexOf);
  const changedIndexes = indexes.both.filter(([one, other]) => !isDeepStrictEqual(one, other));
  const dropIndex = ({ name }: IndexDesign): DesignStep => ({
    later: 'now',
    title: `Remove the index ${name}`,
    text: `DROP INDEX ${quoteIdentifier(name)};`,
    cost: 'Queries that used it become slower.',
    undo: 'Make the index again.',
    changes: [],
  });
  return [
    ...[...indexes.removed, ...changedIndexes.map(([one]) => one)].map(dropIndex),
    ...was.both
      .filter(([one, other]) => one.name !== other.name)
      .map(
        ([one, other]): DesignStep => ({
          later: 'now',
          title: `Rename the column ${one.name} to ${other.name}`,
          text: `ALTER TABLE ${quoted} RENAME COLUMN ${quoteIdentifier(one.name)} TO ${quoteIdentifier(other.name)};`,
          cost: 'Programs that use the old name fail.',
          undo: 'Rename it back.',
          changes: [{ label: 'Name', from: one.name, to: other.name }],
        }),
      ),
    ...was.removed.map(
      ({ name }): DesignStep => ({
        later: 'now',
        title: `Remove the column ${name}`,
        text: `ALTER TABLE ${quoted} DROP COLUMN ${quoteIdentifier(name)};`,
        cost: 'Its values are lost.',
        changes: [],
      }),
    ),
    ...was.added.map((column): DesignStep => {
      const needsCopy =
        column.key ||
        column.unique ||
        (column.required && column.default === '') ||
        /[(]/.test(column.default);
      return {
        later: needsCopy ? 'copy' : 'now',
        title: `Add the column ${column.name}`,
        ...(!needsCopy && {
          text: `ALTER TABLE ${quoted} ADD COLUMN ${columnText(column, { isOnlyKey: false }).replace(/DEFAULT \((.*)\)$/s, 'DEFAULT $1')};`,
        }),
        ...(needsCopy && {
          cost: 'SQLite adds no key, no unique column, and no required column without a plain default.',
        }),
        undo: 'Remove the column.',
        changes: [],
      };
    }),
    ...was.both.flatMap(([one, other]) => copyStep(one, other)),
    ...optionSteps(before, after),
    ...[...indexes.added, ...changedIndexes.map(([, other]) => other)].map((index) => addIndex(table, index)),
  ];
}

function copyStep({ name: _, ...one }: ColumnDesign, { name, ...other }: ColumnDesign): DesignStep[] {
  const changes = Object.keys(one).flatMap((id) => {
    const [from, to] = [one[id as keyof typeof one], other[id as keyof typeof other]];
    return from === to ? [] : [{ label: `${name}: ${id}`, from: wordOf(from), to: wordOf(to) }];
  });
  if (changes.length === 0) return [];
  return [{ later: 'copy', title: `Change the column ${name}`, changes }];
}

function optionSteps({ fields: one }: Design, { fields: other }: Design): DesignStep[] {
  const changes = ['strict', 'withoutRowid'].flatMap((id) => {
    const [from, to] = [one[id] ?? false, other[id] ?? false];
    return from === to ? [] : [{ label: id, from: wordOf(from), to: wordOf(to) }];
  });
  return changes.length === 0 ? [] : [{ later: 'copy', title: 'Change the table', changes }];
}

function wordOf(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
}

function pairs<T extends { name: string }>(
  before: DesignItem[] = [],
  after: DesignItem[] = [],
  read: (item: DesignItem) => T,
) {
  const nameOf = (item: DesignItem) => asciiLower(item.from ?? String(item.fields.name ?? ''));
  const known = new Map(before.map((item) => [nameOf(item), read(item)]));
  const both: [T, T][] = [];
  const added: T[] = [];
  for (const item of after) {
    const was = known.get(nameOf(item));
    if (was) both.push([was, read(item)]);
    else added.push(read(item));
    known.delete(nameOf(item));
  }
  return { both, added, removed: [...known.values()] };
}
