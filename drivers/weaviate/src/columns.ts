import { type ColumnType, DriverError, suggestName } from '@trestle/driver-kit';
import type { Collection, Property } from './schema.ts';

/** Where a column of the grid comes from. */
export type ColumnSource =
  | { kind: 'id' }
  | { kind: 'property'; property: Property }
  /** `vectorizer`: the module that makes the vector; null if the vector is sent with the object. */
  | { kind: 'vector'; name: string | null; vectorizer: string | null };

export interface GridColumn {
  name: string;
  type: ColumnType;
  nativeType: string;
  source: ColumnSource;
}

/** `uuid`, then the properties in schema order, then the vectors. */
export function gridColumns(collection: Collection): GridColumn[] {
  const known = cache.get(collection);
  if (known) return known;
  const columns = buildColumns(collection);
  cache.set(collection, columns);
  return columns;
}

/** Kept because an import asks for the columns once for each of its rows. */
const cache = new WeakMap<Collection, GridColumn[]>();

function buildColumns(collection: Collection): GridColumn[] {
  const vectors = collection.vectors.map(
    ({ name, vectorizer }): GridColumn => ({
      name: vectorColumn({ name }),
      type: 'vector',
      nativeType: 'vector',
      source: { kind: 'vector', name, vectorizer },
    }),
  );
  const taken = new Set(['uuid', ...vectors.map((column) => column.name)]);
  return [
    { name: 'uuid', type: 'uuid', nativeType: 'uuid', source: { kind: 'id' } },
    ...collection.properties.map(
      (property): GridColumn => ({
        // A property may be called uuid or vector. It is still shown and edited, under another column name.
        name: taken.has(property.name) ? `${property.name} (property)` : property.name,
        type: columnType(property),
        nativeType: property.nativeType,
        source: { kind: 'property', property },
      }),
    ),
    ...vectors,
  ];
}

export function vectorColumn({ name }: { name: string | null }): string {
  return name === null ? 'vector' : `vector: ${name}`;
}

export function findColumn(columns: GridColumn[], name: string, collection: Collection): GridColumn {
  const found = columns.find((column) => column.name === name);
  if (found) return found;
  throw new DriverError({
    code: 'invalid_argument',
    message: `${collection.name} has no column "${name}"`,
    hint: suggestName(
      name,
      columns.map((column) => column.name),
    ),
  });
}

/**
 * The columns that a page shows: the requested ones, or all except the vectors. `uuid` is always among them.
 */
export function chooseColumns(collection: Collection, names: string[] | undefined): GridColumn[] {
  const columns = gridColumns(collection);
  if (!names) return columns.filter((column) => column.source.kind !== 'vector');
  const wanted = new Set(names.map((name) => findColumn(columns, name, collection).name));
  return columns.filter((column) => wanted.has(column.name) || column.source.kind === 'id');
}

function columnType(property: Property): ColumnType {
  if (property.isArray) return 'json';
  switch (property.elementType) {
    case 'text':
    case 'int':
    case 'number':
    case 'boolean':
    case 'date':
    case 'uuid':
      return property.elementType;
    case 'blob':
      return 'bytes';
    case 'blobHash':
      return 'text';
    default:
      return 'json';
  }
}
