import { phoneMembers } from './cells.ts';
import type { GridColumn } from './columns.ts';
import { checkName } from './literal.ts';
import type { Property } from './schema.ts';

/** The GraphQL selection that reads these columns. It leaves out vectors: REST reads them several times faster. */
export function selectionOf(columns: GridColumn[], additional: string[] = []): string {
  const properties = columns.flatMap(({ source }) => (source.kind === 'property' ? [source.property] : []));
  return `${properties.map(selectProperty).join(' ')} _additional { ${['id', ...additional].join(' ')} }`;
}

export function selectProperty(property: Property): string {
  const name = checkName(property.name);
  switch (property.elementType) {
    case 'geoCoordinates':
      return `${name} { latitude longitude }`;
    case 'phoneNumber':
      return `${name} { ${phoneMembers.join(' ')} }`;
    case 'object':
      return `${name} { ${property.nested.map(selectProperty).join(' ')} }`;
    case 'reference':
      return `${name} { ${property.references.map(selectReference).join(' ')} }`;
    default:
      return name;
  }
}

/** `__typename` names the collection of a target, since a reference may point to several collections. */
function selectReference(collection: string): string {
  return `... on ${checkName(collection)} { __typename _additional { id } }`;
}
