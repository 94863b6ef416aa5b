import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { type GridColumn, gridColumns } from './columns.ts';
import { exampleQuery } from './example-query.ts';
import { type FilterContext, operatorsOf } from './operators.ts';
import { memberNote, queryHelp } from './query-notes.ts';
import { headOf } from './row-set.ts';
import type { Property } from './schema.ts';
import { isMadeFromText, searchesOf } from './searches.ts';
import { matchingSummary } from './tokens.ts';
import { isByLength } from './vector-structure.ts';

export function describeCollection(context: FilterContext): TableDescription {
  const { collection } = context;
  return {
    name: collection.name,
    kind: 'collection',
    partitioned: collection.multiTenant,
    ...(collection.description && { comment: collection.description }),
    columns: gridColumns(collection).map((column) => describeColumn(column, context)),
    key: ['uuid'],
    indexes: gridColumns(collection).flatMap(describeIndex),
    foreignKeys: [],
    searches: searchesOf(context),
    definition: JSON.stringify(collection.definition, null, 2),
    exampleQuery: exampleQuery(collection),
    notes: notesOf(context),
    help: queryHelp(context),
  };
}

export function unsortableReason(column: GridColumn): string | null {
  if (column.source.kind === 'id') return null;
  if (column.source.kind === 'vector') return 'Vectors have no order';
  switch (column.source.property.elementType) {
    case 'text':
    case 'int':
    case 'number':
    case 'boolean':
    case 'date':
      return null;
    default:
      return `Weaviate does not sort by ${column.nativeType}`;
  }
}

/** Why a cell of a stored object cannot be changed; null if it can. For a new object, uuid and vectors may be set. */
export function readOnlyReason(column: GridColumn): string | null {
  if (column.source.kind === 'id') return 'The uuid of an object never changes';
  if (column.source.kind === 'vector')
    return 'Only the server or another program changes the vector of a stored object';
  switch (column.source.property.elementType) {
    case 'blobHash':
      return 'The server keeps only a hash of the blob';
    case 'unknown':
      return `Trestle does not know the type ${column.nativeType}`;
    default:
      return null;
  }
}

/** Whether a hybrid search needs a vector from the caller. With alpha 0 it needs none: it is then a keyword search. */
function hybridNeedsVector(context: FilterContext): boolean {
  const { collection } = context;
  const hybrid = searchesOf(context).modes.find(({ mode }) => mode === 'hybrid');
  return !hybrid?.refusal && !collection.vectors.some(isMadeFromText);
}

function describeColumn(column: GridColumn, context: FilterContext): ColumnDescription {
  const readOnly = readOnlyReason(column);
  const unsortable = unsortableReason(column);
  const property = column.source.kind === 'property' ? column.source.property : null;
  const form = column.source.kind === 'vector' ? null : valueForm(property);
  return {
    ...headOf(column),
    nullable: column.source.kind !== 'id',
    inKey: column.source.kind === 'id',
    ...(readOnly && { readOnly }),
    ...(column.source.kind !== 'property' && { insertable: true }),
    ...(column.source.kind === 'vector' && {
      deferred: true,
      vector: {
        distance: isByLength(context.collection, column.source.name)
          ? ('euclidean' as const)
          : ('cosine' as const),
      },
    }),
    ...(unsortable && { unsortable }),
    operators: operatorsOf(column, context),
    ...(property?.tokenization && { matching: matchingSummary(property.tokenization) }),
    ...(form && { valueForm: form }),
    ...(property?.elementType === 'reference' && { references: property.references }),
    ...defaultOf(column),
    ...(property?.description && { comment: property.description }),
  };
}

/** The default of a column that the driver (uuid) or the server (vector) fills in for a new object. */
function defaultOf({ source }: GridColumn): Pick<ColumnDescription, 'defaultText'> {
  if (source.kind === 'id') return { defaultText: 'a new uuid' };
  if (source.kind === 'vector' && source.vectorizer) return { defaultText: `made by ${source.vectorizer}` };
  return {};
}

function valueForm(property: Property | null): string | null {
  if (property === null) return 'a uuid';
  switch (property.elementType) {
    case 'date':
      return 'a date such as 2026-07-28, or an RFC 3339 timestamp';
    case 'int':
      return property.isArray ? 'one whole number of the list' : 'a whole number';
    case 'number':
      return property.isArray ? 'one number of the list' : 'a number';
    case 'geoCoordinates':
      return '{"latitude": 52.5, "longitude": 13.4}';
    case 'phoneNumber':
      return '{"input": "030 123456", "defaultCountry": "DE"}';
    default:
      return property.isArray ? 'one element of the list' : null;
  }
}

function describeIndex({ name: column, source }: GridColumn): TableDescription['indexes'] {
  if (source.kind !== 'property') return [];
  const { property } = source;
  const kinds = [
    property.filterable && 'filterable',
    property.searchable && `searchable (${property.tokenization})`,
    property.rangeable && 'range',
  ].filter((kind) => kind !== false);
  if (kinds.length === 0) return [];
  return [{ name: property.name, columns: [column], unique: false, detail: kinds.join(', ') }];
}

function notesOf(context: FilterContext): string[] {
  return [
    ...(hybridNeedsVector(context)
      ? ['Hybrid search needs a vector as well as the text: no module makes vectors from text here.']
      : []),
    ...memberNote(context.collection),
  ];
}
