import {
  type ClassDefinition,
  kindOf,
  type PropertyDefinition,
  primitiveTypes,
  vectorSpaces,
} from '../definition.ts';
import { schemaRefusal } from '../errors.ts';

/**
 * The vectorizer module of the sample's collections. The sample node does not have this module: it makes their vectors
 * with `embed`.
 */
export const textModule = 'text2vec-transformers';

/** Throws with Weaviate's message if the class cannot be created. */
export function checkClass(definition: ClassDefinition, exists: (className: string) => boolean): void {
  if (!/^[A-Z][_0-9A-Za-z]{0,254}$/.test(definition.class)) {
    throw schemaRefusal(`'${definition.class}' is not a valid class name`);
  }
  if (exists(definition.class)) throw schemaRefusal(`class name ${definition.class} already exists`);
  const seen = new Set<string>();
  for (const property of definition.properties ?? []) {
    checkProperty(property, definition.class, seen, (name) => name === definition.class || exists(name));
    seen.add(property.name.toLowerCase());
  }
  checkVectors(definition);
}

export function checkVectors(definition: ClassDefinition): void {
  for (const { name, vectorizer } of vectorSpaces(definition)) {
    if (!fieldName.test(name)) throw schemaRefusal(`'${name}' is not a valid target vector name`);
    if (vectorizer !== 'none' && vectorizer !== textModule) {
      throw schemaRefusal(`vectorizer: no module with name "${vectorizer}" present`);
    }
  }
}

/** GraphQL has a field for each property and vector. One invalid name would make every GraphQL query fail. */
const fieldName = /^[_A-Za-z][_0-9A-Za-z]{0,230}$/;

export function checkProperty(
  property: PropertyDefinition,
  className: string,
  taken: ReadonlySet<string>,
  exists: (className: string) => boolean,
): void {
  const { name, dataType } = property;
  if (!fieldName.test(name)) throw schemaRefusal(`'${name}' is not a valid property name`);
  if (['_additional', '_id', 'id'].includes(name))
    throw schemaRefusal(`'${name}' is a reserved property name`);
  if (taken.has(name.toLowerCase())) {
    throw schemaRefusal(
      `class "${className}": conflict for property "${name.toLowerCase()}": already in use or provided multiple times`,
    );
  }
  checkType(name, dataType, exists);
  if (kindOf(property).element === 'object') checkNested(property);
}

function checkType(name: string, dataType: string[], exists: (className: string) => boolean): void {
  if (dataType.length === 0)
    throw schemaRefusal(`property '${name}': invalid dataType: []: empty dataType array`);
  if (kindOf({ dataType }).element === 'reference') {
    if (!dataType.every(exists)) throw schemaRefusal('bad request: reference property to nonexistent class');
    return;
  }
  const { element, isArray } = kindOf({ dataType });
  const single = ['geoCoordinates', 'phoneNumber', 'blob'];
  if (
    !primitiveTypes.some((type) => type === element) ||
    (isArray && single.includes(element)) ||
    dataType.length > 1
  ) {
    const type = dataType.join(' ');
    throw schemaRefusal(
      `property '${name}': invalid dataType: [${type}]: unknown primitive data type '${type}'`,
    );
  }
}

function checkNested(property: PropertyDefinition): void {
  if (!property.nestedProperties?.length) {
    throw schemaRefusal(
      `property '${property.name}': At least one nested property is required for data type object/object[]`,
    );
  }
  for (const nested of property.nestedProperties) {
    if (!fieldName.test(nested.name)) {
      throw schemaRefusal(
        `property '${property.name}': '${nested.name}' is not a valid nested property name`,
      );
    }
    checkType(`${property.name}.${nested.name}`, nested.dataType ?? [], () => false);
    if (kindOf(nested).element === 'object') checkNested(nested);
  }
}
