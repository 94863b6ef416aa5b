import { defaultAlpha } from '@trestle/driver-kit';
import type { FilterContext } from './operators.ts';
import { selectProperty } from './requests/graphql/selection.ts';
import type { Collection, ElementType } from './schema.ts';
import { isMadeFromText, searchesOf } from './searches.ts';

/** How a query on this collection filters, searches and counts, if a client needs a query at all. */
export function queryHelp(context: FilterContext): string[] {
  const { collection, hasNot } = context;
  return [
    'Filters, sorts, counts and searches need no query. A query is GraphQL (read-only) or a REST line such as GET /objects; there is no SQL.',
    ...(collection.multiTenant ? ['Every query must name a tenant.'] : []),
    ...(collection.indexesNulls ? [] : ['NULL cannot be filtered: indexNullState is off.']),
    ...(collection.indexesLengths ? [] : ['Empty values cannot be filtered: indexPropertyLength is off.']),
    ...(hasNot ? [] : ['Not and ContainsNone need Weaviate 1.33 or newer.']),
    filterNote(context),
    ...searchNote(context),
    countNote(collection),
  ];
}

const valueFields: Partial<Record<ElementType, string>> = {
  text: 'valueText',
  uuid: 'valueText',
  int: 'valueInt',
  number: 'valueNumber',
  boolean: 'valueBoolean',
  date: 'valueDate',
};

function filterNote({ collection, hasNot }: FilterContext): string {
  const filterable = collection.properties.filter(
    ({ filterable, searchable, rangeable }) => filterable || searchable || rangeable,
  );
  const groups = Map.groupBy(filterable, ({ elementType }) => valueFields[elementType]);
  const fields = [...groups].flatMap(([field, properties]) =>
    field === undefined ? [] : [`${field} for ${properties.map(({ name }) => name).join(', ')}`],
  );
  const operators = [
    ...['Equal', 'NotEqual', 'GreaterThan', 'GreaterThanEqual', 'LessThan', 'LessThanEqual'],
    'Like (text, with * as a wildcard)',
    ...['ContainsAny', 'ContainsAll'],
    ...(hasNot ? ['ContainsNone', 'Not'] : []),
    ...(collection.indexesNulls ? ['IsNull (valueBoolean)'] : []),
  ];
  return [
    'A filter in GraphQL: where: {path: ["property"], operator: Equal, valueText: "…"}.',
    `The value goes into ${[...fields, 'valueText for id'].join('; ')}.`,
    `Operators: ${operators.join(', ')}; And and Or take operands: [{…}, {…}].`,
  ].join(' ');
}

function searchNote(context: FilterContext): string[] {
  const { modes, targetVectors } = searchesOf(context);
  const runs = (mode: string) => modes.some((one) => one.mode === mode && !one.refusal);
  const [first = null] = targetVectors;
  const text = context.collection.vectors.find(isMadeFromText);
  const target = (name: string | null) => (name === null ? '' : `, targetVectors: [${JSON.stringify(name)}]`);
  const byText = text ? target(text.name) : `, vector: […]${target(first)}`;
  const searches = [
    ...(runs('near_text') ? [`nearText: {concepts: ["…"]${byText}}`] : []),
    ...(runs('near_object') ? [`nearObject: {id: "…"${target(first)}}`] : []),
    ...(runs('keyword') ? ['bm25: {query: "…"}'] : []),
    ...(runs('hybrid') ? [`hybrid: {query: "…", alpha: ${defaultAlpha}${byText}}`] : []),
  ];
  if (searches.length === 0) return [];
  const measure = '_additional { distance } for a near search, _additional { score } for the others';
  return [`A GraphQL search is an argument: ${searches.join(' or ')}. Select ${measure}.`];
}

function countNote({ name, multiTenant }: Collection): string {
  const tenant = multiTenant ? '(tenant: "<tenant>")' : '';
  return `A count: { Aggregate { ${name}${tenant} { meta { count } } } }.`;
}

/** How a query selects properties that have members. The server refuses a query that does not name the members. */
export function memberNote({ properties }: Collection): string[] {
  const inner = properties.filter(({ elementType }) =>
    ['geoCoordinates', 'phoneNumber', 'object', 'reference'].includes(elementType),
  );
  return inner.length > 0 ? [`In GraphQL, select members: ${inner.map(selectProperty).join(' ')}`] : [];
}
