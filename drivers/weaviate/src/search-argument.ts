import { DriverError, defaultAlpha, maskedUse, type SearchRequest } from '@trestle/driver-kit';
import { findColumn, gridColumns } from './columns.ts';
import { GuardedColumns } from './guarded-columns.ts';
import { EnumLiteral, type Literal } from './literal.ts';
import type { FilterContext } from './operators.ts';
import type { Collection } from './schema.ts';
import { searchOptionsOf } from './search-options.ts';
import { targetArguments, targetNames } from './search-targets.ts';
import { isMadeFromText } from './searches.ts';

type Arguments = { [name: string]: Literal | undefined };

/** The arguments of `Get` for the search, without filter and limit. */
export function searchArgument(request: SearchRequest, context: FilterContext): Arguments {
  return {
    ...modeArgument(request, context),
    autocut: offered(request, context, 'autocut') ? request.autocut : undefined,
    groupBy: groupArgument(request, context.collection),
  };
}

function modeArgument(request: SearchRequest, context: FilterContext): Arguments {
  const distance = offered(request, context, 'maxDistance') ? request.maxDistance : undefined;
  const near = () => ({ distance, ...targetArguments(request, context) });
  switch (request.mode) {
    case 'near_text':
      return { nearText: { concepts: [needed(request.text, 'a text')], ...near() } };
    case 'near_vector':
      return { nearVector: { vector: needed(request.vector, 'a vector'), ...near() } };
    case 'near_object':
      return {
        nearObject: { id: needed(request.objectId, 'the uuid of an object').toLowerCase(), ...near() },
      };
    case 'keyword':
      return {
        bm25: {
          query: needed(request.text, 'a text'),
          properties: keywordProperties(request, context),
          searchOperator: wordsArgument(request, context),
        },
      };
    case 'hybrid':
      return { hybrid: hybridArgument(request, context) };
  }
}

function hybridArgument(request: SearchRequest, context: FilterContext): Arguments {
  const { collection } = context;
  const alpha = request.alpha ?? defaultAlpha;
  const names = targetNames(request, collection) ?? [''];
  const spaces = collection.vectors.filter(({ name }) => names.includes(name ?? ''));
  if (alpha > 0 && !request.vector && !spaces.some(isMadeFromText)) {
    throw new DriverError({
      code: 'unsupported',
      message: 'Hybrid search needs a vector here: no module turns text into one',
      hint: 'Give a vector as well as the text, or use keyword search.',
    });
  }
  return {
    query: needed(request.text, 'a text'),
    alpha,
    vector: request.vector,
    fusionType: fusionArgument(request, context),
    maxVectorDistance: request.maxDistance,
    properties: keywordProperties(request, context),
    bm25SearchOperator: wordsArgument(request, context),
    ...targetArguments(request, context),
  };
}

function fusionArgument({ fusion }: SearchRequest, context: FilterContext): EnumLiteral | undefined {
  if (fusion === undefined) return undefined;
  const known = searchOptionsOf(context).fusions?.find(({ name }) => name === fusion);
  if (known) return new EnumLiteral(known.name);
  throw new DriverError({ code: 'invalid_argument', message: `There is no fusion "${fusion}"` });
}

function wordsArgument({ allWords }: SearchRequest, context: FilterContext): Literal | undefined {
  if (!allWords) return undefined;
  if (context.hasSearchOperator) return { operator: new EnumLiteral('And') };
  throw new DriverError({
    code: 'unsupported',
    message: 'A search for every word needs Weaviate 1.31 or newer',
  });
}

/**
 * The properties for the keyword search. Without such a list, the server searches every searchable text property, also
 * guarded ones. So the result is undefined only if the collection has no guarded column.
 */
function keywordProperties(
  { guarded = [], keywordColumns }: SearchRequest,
  { collection }: FilterContext,
): string[] | undefined {
  const columns = new GuardedColumns(guarded, [collection]);
  if (keywordColumns && keywordColumns.length > 0) {
    return keywordColumns.map(({ column, weight }) => weightedProperty(column, weight, collection));
  }
  if (!columns.has(collection)) return undefined;
  const names = columns.searchable(collection);
  if (names.length === 0) throw maskedUse(`all searchable text of ${collection.name} is masked`);
  return names;
}

function weightedProperty(column: string, weight: number, collection: Collection): string {
  const { source } = findColumn(gridColumns(collection), column, collection);
  const refuse = (message: string) => new DriverError({ code: 'invalid_argument', message });
  if (source.kind !== 'property' || !source.property.searchable) {
    throw refuse(`${column} cannot be searched by words: it is not searchable text (indexSearchable)`);
  }
  // Weaviate 1.27 reads `^2.5` as a weight of 0, without an error.
  if (!Number.isInteger(weight) || weight < 1) {
    throw refuse(`The weight of ${column} must be a whole number of 1 or more`);
  }
  return weight === 1 ? source.property.name : `${source.property.name}^${weight}`;
}

function groupArgument({ groupBy }: SearchRequest, collection: Collection): Literal | undefined {
  if (!groupBy) return undefined;
  const { source } = findColumn(gridColumns(collection), groupBy.column, collection);
  if (source.kind !== 'property') {
    throw new DriverError({ code: 'invalid_argument', message: `${groupBy.column} cannot group rows` });
  }
  const { groups, rowsPerGroup } = groupBy;
  return { path: [source.property.name], groups, objectsPerGroup: rowsPerGroup };
}

function offered(request: SearchRequest, context: FilterContext, option: 'autocut' | 'maxDistance'): boolean {
  if (request[option] === undefined) return false;
  if (searchOptionsOf(context)[option]?.includes(request.mode)) return true;
  throw new DriverError({
    code: 'invalid_argument',
    message: `A ${request.mode.replace('_', ' ')} search takes no ${option === 'autocut' ? 'autocut' : 'distance'}`,
  });
}

function needed<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    throw new DriverError({ code: 'invalid_argument', message: `This search needs ${what}` });
  }
  return value;
}
