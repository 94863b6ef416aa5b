import type { Collection, ElementType, Property } from './schema.ts';

/**
 * `exampleQuery` reads objects, with a filter if a number property can be filtered. `countQuery` counts objects by the
 * values of a property, if there is one to group by. Both run unchanged, except in a collection with tenants: there, the
 * name of a tenant must replace `<tenant>`.
 */
export function exampleQueries(collection: Collection): { exampleQuery: string; countQuery?: string } {
  const { name, properties, multiTenant } = collection;
  const selected = properties.filter(isPlain).slice(0, 4);
  const tenant = multiTenant ? ['tenant: "<tenant>"'] : [];
  const ordered = properties.find(({ elementType, isArray, filterable }) => {
    return filterable && !isArray && (elementType === 'int' || elementType === 'number');
  });
  const field = ordered?.elementType === 'int' ? 'valueInt' : 'valueNumber';
  const where = ordered ? [`where: {path: ["${ordered.name}"], operator: GreaterThan, ${field}: 0}`] : [];
  const selection = [...selected.map((property) => property.name), '_additional { id }'].join(' ');
  const exampleQuery = `{ Get { ${name}(${[...tenant, 'limit: 5', ...where].join(', ')}) { ${selection} } } }`;
  const single = properties.filter(({ isArray }) => !isArray);
  const best = Math.min(...single.map(rank));
  // The first property is usually a name, the last one a category.
  const counted = single.findLast((property) => rank(property) === best);
  if (!counted || best === never) return { exampleQuery };
  const grouping = [...tenant, `groupBy: ["${counted.name}"]`].join(', ');
  const countQuery = `{ Aggregate { ${name}(${grouping}) { groupedBy { value } meta { count } } } }`;
  return { exampleQuery, countQuery };
}

/** Whether a property can be selected by its name alone. A blob is left out because it is too long to read. */
function isPlain({ elementType, nested }: Property): boolean {
  return nested.length === 0 && !['reference', 'geoCoordinates', 'phoneNumber', 'blob'].includes(elementType);
}

const never = 9;

/** The lower the rank, the better a property is to group by. */
function rank({ elementType, tokenization }: Property): number {
  if (elementType === 'text') return tokenization === 'field' ? 0 : 3;
  return ranks[elementType] ?? never;
}

const ranks: Partial<Record<ElementType, number>> = { boolean: 1, int: 2 };
