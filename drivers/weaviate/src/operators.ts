import { type ColumnDescription, type FilterOperator, filterOperators } from '@trestle/driver-kit';
import type { GridColumn } from './columns.ts';
import type { Collection, Property } from './schema.ts';
import { matchingNote } from './tokens.ts';

/** The facts about the server and the collection that the translation of filters and searches needs. */
export interface FilterContext {
  collection: Collection;
  /** Weaviate 1.33 added Not and ContainsNone. */
  hasNot: boolean;
  /** Weaviate 1.31 added keyword searches that require every word of the query. */
  hasSearchOperator: boolean;
}

/** Every operator. An operator that this column does not support has a refusal. */
export function operatorsOf(column: GridColumn, context: FilterContext): ColumnDescription['operators'] {
  const tokenization = column.source.kind === 'property' ? column.source.property.tokenization : null;
  return filterOperators.map((operator) => {
    const refusal = refusalOf(operator, column, context);
    if (refusal !== null) return { operator, refusal };
    const matching = tokenization && matchingNote(tokenization, operator);
    return matching ? { operator, matching } : { operator };
  });
}

/** Why the operator cannot run on this column, whatever the value; null if it can. */
export function refusalOf(
  operator: FilterOperator,
  column: GridColumn,
  context: FilterContext,
): string | null {
  if (operator === 'regex') return 'Weaviate has no regular expressions';
  const { source } = column;
  if (source.kind === 'vector') return 'Vectors cannot be filtered; search by vector instead';
  if (source.kind === 'id') return refusalOnId(operator, context);
  return refusalOnProperty(operator, source.property, context);
}

function refusalOnId(operator: FilterOperator, context: FilterContext): string | null {
  switch (operator) {
    case 'equals':
    case 'not_equals':
    case 'in_list':
    case 'not_in_list':
      return null;
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return null;
    case 'not_contains':
      return context.hasNot ? null : needsNot;
    case 'is_null':
    case 'is_not_null':
    case 'is_empty':
    case 'is_not_empty':
      return 'Every object has a uuid';
    default:
      return orderedOnly;
  }
}

const orderedOnly = 'Runs on numbers and dates only';
const needsNot = 'Needs Weaviate 1.33 or newer';

const unfilterable: Partial<Record<Property['elementType'], string>> = {
  geoCoordinates: 'Weaviate filters coordinates by distance only: use WithinGeoRange in the editor',
  phoneNumber: 'Weaviate cannot filter phone numbers',
  blob: 'Weaviate does not index blobs',
  blobHash: 'Weaviate cannot filter blob hashes',
  object: 'Weaviate does not index the inside of objects',
  reference: 'A filter here cannot follow a cross-reference: write a query in the editor',
  unknown: 'Trestle does not know this type',
};

function refusalOnProperty(
  operator: FilterOperator,
  property: Property,
  context: FilterContext,
): string | null {
  const whole = unfilterable[property.elementType];
  if (whole) return whole;
  if (!property.filterable && !property.searchable && !property.rangeable) {
    return 'The property is not indexed for filtering (indexFilterable)';
  }
  switch (operator) {
    case 'equals':
    case 'not_equals':
    case 'in_list':
    case 'not_in_list':
      return null;
    case 'greater_than':
    case 'greater_or_equal':
    case 'less_than':
    case 'less_or_equal':
      return isOrdered(property) ? null : orderedOnly;
    case 'between':
      // The server would match a row in which one element meets the lower bound and another element the upper bound.
      if (isOrdered(property) && property.isArray)
        return 'Weaviate cannot compare one element of a list with two bounds';
      return isOrdered(property) ? null : orderedOnly;
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return refusalOfPattern(property);
    case 'not_contains':
      return refusalOfPattern(property) ?? (context.hasNot ? null : needsNot);
    case 'is_null':
    case 'is_not_null':
      return context.collection.indexesNulls ? null : 'The collection does not index NULL (indexNullState)';
    case 'is_empty':
    case 'is_not_empty':
      return refusalOfLength(property, context);
    default:
      return 'Weaviate has no such operator';
  }
}

function isOrdered({ elementType }: Property): boolean {
  return elementType === 'int' || elementType === 'number' || elementType === 'date';
}

function refusalOfPattern(property: Property): string | null {
  if (property.elementType !== 'text') return 'Runs on text only';
  // The server cuts the pattern, wildcards included, into pieces of three characters: `*abcd*` would miss the value
  // abcd.
  if (property.tokenization === 'trigram') return 'Trigram text is not searched by pattern: use equals';
  return null;
}

function refusalOfLength(property: Property, context: FilterContext): string | null {
  if (property.elementType !== 'text' && !property.isArray) return 'Only text and lists can be empty';
  return context.collection.indexesLengths
    ? null
    : 'The collection does not index lengths (indexPropertyLength)';
}
