import type { Collection, Property } from './schema.ts';

/**
 * Reads objects, with a filter if a number property can be filtered. It runs unchanged, except in a collection with
 * tenants: there, the name of a tenant must replace `<tenant>`.
 */
export function exampleQuery(collection: Collection): string {
  const { name, properties, multiTenant } = collection;
  const selected = properties.filter(isPlain).slice(0, 4);
  const tenant = multiTenant ? ['tenant: "<tenant>"'] : [];
  const ordered = properties.find(({ elementType, isArray, filterable }) => {
    return filterable && !isArray && (elementType === 'int' || elementType === 'number');
  });
  const field = ordered?.elementType === 'int' ? 'valueInt' : 'valueNumber';
  const where = ordered ? [`where: {path: ["${ordered.name}"], operator: GreaterThan, ${field}: 0}`] : [];
  const selection = [...selected.map((property) => property.name), '_additional { id }'].join(' ');
  return `{ Get { ${name}(${[...tenant, 'limit: 5', ...where].join(', ')}) { ${selection} } } }`;
}

/** Whether a property can be selected by its name alone. A blob is left out because it is too long to read. */
function isPlain({ elementType, nested }: Property): boolean {
  return nested.length === 0 && !['reference', 'geoCoordinates', 'phoneNumber', 'blob'].includes(elementType);
}
