import { phoneMembers } from '../../cells.ts';
import type { Property } from '../../schema.ts';
import { checkName } from './literal.ts';

/** The selection of these properties, of the uuid, and of the members `additional` of `_additional`. */
export function selectionOf(properties: Property[], additional: string[] = []): string {
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
