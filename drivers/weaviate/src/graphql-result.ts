import {
  type Cell,
  type ColumnHead,
  type ColumnValues,
  type Json,
  markedHead,
  ownValue,
  type RunResult,
} from '@trestle/driver-kit';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GuardedColumns } from './guarded-columns.ts';
import { vectorValues } from './row-set.ts';

type Data = { [key: string]: Json };

/**
 * Each collection of a `Get` becomes a grid with the columns that the query selects. Other root fields become one
 * document.
 */
export function resultsOf(
  document: DocumentNode,
  data: Data,
  limit: number,
  guarded?: GuardedColumns,
): RunResult[] {
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one.selectionSet]),
  );
  if (!operation) return [{ kind: 'document', document: data }];
  const roots = fieldsOf(operation.selectionSet, fragments);
  const gets = roots.filter((field) => field.name.value === 'Get');
  const grids = gets.flatMap((get) => {
    const inner = ownValue(data, keyOf(get)) as Data | null;
    if (!inner) return [];
    return fieldsOf(get.selectionSet, fragments).flatMap((field) => {
      const rows = ownValue(inner, keyOf(field));
      return Array.isArray(rows)
        ? [withOrigins(gridOf(field, rows as Data[], fragments, limit), field, guarded)]
        : [];
    });
  });
  const others = Object.fromEntries(
    Object.entries(data).filter(([key]) => !gets.some((get) => keyOf(get) === key)),
  );
  const rest: RunResult[] = Object.keys(others).length > 0 ? [{ kind: 'document', document: others }] : [];
  return grids.length + rest.length > 0 ? [...grids, ...rest] : [{ kind: 'document', document: data }];
}

type Fragments = Map<string, SelectionSetNode>;

interface ResultColumn {
  /** `origin.column` is the name of the property, `uuid`, or the name of a vector column, whatever the alias. */
  head: ColumnHead;
  read(row: Data): Json | undefined;
}

/**
 * Sets `origin.table` and `masked` of each column head that has an origin. The table is the name of the collection, not
 * the alias of the field. Without `guarded`, it removes all origins.
 */
function withOrigins(grid: RowsResult, field: FieldNode, guarded: GuardedColumns | undefined): RunResult {
  const collection = guarded?.find(field.name.value);
  const columns = grid.rows.columns.map(({ origin, ...head }): ColumnHead => {
    if (!guarded || !origin) return head;
    const table = collection?.name ?? field.name.value;
    const masked =
      !collection ||
      guarded.isName(collection, origin.column) ||
      (head.type === 'vector' && guarded.isMember(collection, origin.column));
    return markedHead(head, { origin: { ...origin, table }, masked });
  });
  return { ...grid, rows: { ...grid.rows, columns } };
}

type RowsResult = Extract<RunResult, { kind: 'rows' }>;

function gridOf(field: FieldNode, rows: Data[], fragments: Fragments, limit: number): RowsResult {
  const kept = rows.slice(0, limit);
  const columns = columnsOf(field, fragments);
  return {
    kind: 'rows',
    title: keyOf(field),
    truncated: rows.length > limit,
    rows: {
      rowCount: kept.length,
      columns: columns.map(({ head }) => head),
      values: columns.map(({ head, read }): ColumnValues => {
        const cells = kept.map(read);
        if (head.type === 'vector') return vectorValues(cells);
        return { kind: 'cells', cells: cells.map((cell) => (cell ?? null) as Cell) };
      }),
    },
  };
}

/** `uuid` first, then the properties in the order selected, then the other members of `_additional`. */
function columnsOf(field: FieldNode, fragments: Fragments): ResultColumn[] {
  const selected = fieldsOf(field.selectionSet, fragments);
  const properties = selected.filter((one) => one.name.value !== '_additional');
  const members = selected
    .filter((one) => one.name.value === '_additional')
    .flatMap((additional) =>
      fieldsOf(additional.selectionSet, fragments).flatMap((member) =>
        memberColumns(additional, member, fragments),
      ),
    );
  const ids = members.filter(({ head }) => head.name === 'uuid');
  const taken = new Set(members.map(({ head }) => head.name));
  return [
    ...ids,
    ...properties.map((one): ResultColumn => {
      const key = keyOf(one);
      const name = taken.has(key) ? `${key} (property)` : key;
      const type = one.selectionSet ? 'json' : 'any';
      const origin = { table: '', column: one.name.value };
      return { head: { name, type, nativeType: '', origin }, read: (row) => ownValue(row, key) };
    }),
    ...members.filter((member) => !ids.includes(member)),
  ];
}

function memberColumns(additional: FieldNode, member: FieldNode, fragments: Fragments): ResultColumn[] {
  const outer = keyOf(additional);
  const key = keyOf(member);
  const read = (row: Data) => ownValue(ownValue(row, outer) as Data | null, key);
  const name = member.name.value;
  const origin = (column: string) => ({ origin: { table: '', column } });
  if (name === 'id')
    return [{ head: { name: 'uuid', type: 'uuid', nativeType: 'uuid', ...origin('uuid') }, read }];
  if (name === 'vector')
    return [{ head: { name: key, type: 'vector', nativeType: 'vector', ...origin('vector') }, read }];
  if (name === 'vectors') {
    return fieldsOf(member.selectionSet, fragments).map((space) => ({
      head: {
        name: `vector: ${keyOf(space)}`,
        type: 'vector',
        nativeType: 'vector',
        ...origin(`vector: ${space.name.value}`),
      },
      read: (row) => ownValue(read(row) as Data | null, keyOf(space)),
    }));
  }
  return [{ head: { name: key, type: member.selectionSet ? 'json' : 'any', nativeType: '' }, read }];
}

function fieldsOf(selection: SelectionSetNode | undefined, fragments: Fragments): FieldNode[] {
  return (selection?.selections ?? []).flatMap((one) => {
    if (one.kind === Kind.FIELD) return [one];
    if (one.kind === Kind.INLINE_FRAGMENT) return fieldsOf(one.selectionSet, fragments);
    return fieldsOf(fragments.get(one.name.value), fragments);
  });
}

function keyOf(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}
