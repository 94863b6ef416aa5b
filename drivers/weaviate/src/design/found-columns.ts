import type { Design, DesignItem, FoundColumn } from '@trestle/driver-kit';
import type { KnownServer } from './known-server.ts';

/** A collection for rows of a file. The driver stores an id of its own for each row, so a uuid is no property. */
export function designOfColumns(columns: FoundColumn[], server: KnownServer): Design {
  const rows = columns.filter(({ name, type }) => !(type === 'uuid' && /^(_?id|uuid)$/i.test(name)));
  const taken = new Set<string>();
  const properties = rows.flatMap((column) => (column.type === 'vector' ? [] : [propertyOf(column, taken)]));
  const given = rows.flatMap(({ name, type }): DesignItem[] =>
    type === 'vector' ? [{ from: name, fields: { name: vectorName(name) } }] : [],
  );
  const maker = server.vectorizers.find((name) => ownMakers.test(name));
  const made: DesignItem[] = maker === undefined ? [] : [{ fields: { name: 'default', maker } }];
  return { name: '', fields: {}, parts: { properties, vectors: given.length > 0 ? given : made } };
}

/** Modules that need no key of a provider: they run beside the server. */
const ownMakers = /^text2vec-(transformers|model2vec|ollama|contextionary|gpt4all|bigram)$/;

function propertyOf(column: FoundColumn, taken: Set<string>): DesignItem {
  const name = freeName(propertyName(column.name), taken);
  return { from: column.name, ...itemOf(column, name) };
}

function itemOf({ type, isList = false, columns = [] }: FoundColumn, name: string): DesignItem {
  const native = types[type] ?? 'text';
  const items = columns.map((inner) => itemOf(inner, inner.name));
  return {
    fields: { name, type: isList ? `${native}[]` : native },
    ...(native === 'object' && { items }),
  };
}

const types: Partial<Record<FoundColumn['type'], string>> = {
  ...{ int: 'int', number: 'number', boolean: 'boolean', date: 'date', uuid: 'uuid' },
  ...{ bytes: 'blob', json: 'object' },
};

/** The server changes a capital letter at the start, and keeps `id` for itself. */
function propertyName(from: string): string {
  const name = plain(from);
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  return ['id', '_id', '_additional'].includes(small) ? `${small}_` : small;
}

/** Trestle exports a named vector as `vector: name`, and the unnamed one as `vector`. */
function vectorName(from: string): string {
  if (from === 'vector') return '';
  return plain(from.replace(/^vector: /, ''));
}

function plain(from: string): string {
  const name = from
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, 200);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
