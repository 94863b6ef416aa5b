import type { Cell, ColumnHead, ColumnValues, Json, RunResult } from '@trestle/driver-kit';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { vectorValues } from './row-set.ts';

type Data = { [key: string]: Json };

/** Each collection of a `Get` as a grid with the columns of the query's selection; the rest as a document. */
export function resultsOf(document: DocumentNode, data: Data, limit: number): RunResult[] {
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
    const inner = data[keyOf(get)] as Data | null;
    if (!inner) return [];
    return fieldsOf(get.selectionSet, fragments).flatMap((field) => {
      const rows = inner[keyOf(field)];
      return Array.isArray(rows) ? [gridOf(field, rows as Data[], fragments, limit)] : [];
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
  head: ColumnHead;
  read(row: Data): Json | undefined;
}

function gridOf(field: FieldNode, rows: Data[], fragments: Fragments, limit: number): RunResult {
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

/** `uuid` first, then the properties as selected, then every other member of `_additional`. */
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
      return { head: { name, type, nativeType: '' }, read: (row) => row[key] };
    }),
    ...members.filter((member) => !ids.includes(member)),
  ];
}

function memberColumns(additional: FieldNode, member: FieldNode, fragments: Fragments): ResultColumn[] {
  const outer = keyOf(additional);
  const key = keyOf(member);
  const read = (row: Data) => (row[outer] as Data | null)?.[key];
  const name = member.name.value;
  if (name === 'id') return [{ head: { name: 'uuid', type: 'uuid', nativeType: 'uuid' }, read }];
  if (name === 'vector') return [{ head: { name: key, type: 'vector', nativeType: 'vector' }, read }];
  if (name === 'vectors') {
    return fieldsOf(member.selectionSet, fragments).map((space) => ({
      head: { name: `vector: ${keyOf(space)}`, type: 'vector', nativeType: 'vector' },
      read: (row) => (read(row) as Data | null)?.[keyOf(space)],
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
