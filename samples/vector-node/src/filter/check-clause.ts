import { type ClassDefinition, findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { noSuchProperty, unprocessable } from '../errors.ts';
import type { Clause, Leaf } from './where.ts';

type FindClass = (name: string) => ClassDefinition | undefined;

/** Throws with Weaviate's message if a clause does not match the schema. */
export function checkClause(clause: Clause, className: string, findClass: FindClass): void {
  const refusal = refusalOf(clause, className, findClass);
  if (refusal !== null) throw unprocessable(refusal);
}

function refusalOf(clause: Clause, className: string, findClass: FindClass): string | null {
  if (clause.kind === 'leaf') return leafRefusal(clause, className, findClass);
  const refusals = clause.operands.flatMap((operand, index) => {
    const refusal = refusalOf(operand, className, findClass);
    return refusal === null ? [] : [`child operand at position ${index}: ${refusal}`];
  });
  return refusals.length === 0 ? null : refusals.join(', ');
}

function leafRefusal(leaf: Leaf, className: string, findClass: FindClass): string | null {
  const name = leaf.path.at(-1) ?? '';
  if (name === 'id' || name === '_id') {
    return leaf.type === 'text'
      ? null
      : 'using ["_id"] to filter by uuid: must use "valueText" to specify the id';
  }
  if (name === '_creationTimeUnix' || name === '_lastUpdateTimeUnix') {
    return leaf.type === 'date' || leaf.type === 'text'
      ? null
      : `using ["${name}"] to filter by timestamp: must use "valueText" or "valueDate"`;
  }
  const innermost = leaf.path.at(-2) ?? className;
  const definition = findClass(innermost);
  if (!definition) return `class "${innermost}" does not exist in schema`;
  const measured = lengthOf(name);
  const root = rootOf(measured ?? name);
  const property = findProperty(definition, root);
  if (!property) return noSuchProperty(root, definition.class);
  if (/\[\d+\]/.test(name) && kindOf(property).element !== 'object') {
    return `property "${name}": [N] indexing is only supported on nested object[] properties`;
  }
  return propertyRefusal(leaf, property, measured !== null);
}

function propertyRefusal(leaf: Leaf, property: PropertyDefinition, isLength: boolean): string | null {
  const { element, isArray } = kindOf(property);
  if (element === 'object') {
    return 'filtering on nested properties is a preview feature, disabled by default; set WEAVIATE_PREVIEW_NESTED_FILTERING=true to enable';
  }
  if (leaf.operator === 'IsNull') {
    return leaf.type === 'boolean'
      ? null
      : `operator IsNull requires a booleanValue, got ${leaf.field} instead`;
  }
  if (isLength) return lengthRefusal(leaf);
  if (element === 'uuid') return uuidRefusal(leaf, property);
  if (element === 'reference') {
    return leaf.type === 'int'
      ? null
      : `Property "${property.name}" is a ref prop to the class "${property.dataType[0]}". Only "valueInt" can be used on a ref prop directly to count the number of refs. Or did you mean to filter on a primitive prop of the referenced class? In this case make sure your path contains 3 elements in the form of [<propName>, <ClassNameOfReferencedClass>, <primitvePropOnClass>]`;
  }
  if (leaf.type === element) return null;
  const wanted = `value${element.charAt(0).toUpperCase()}${element.slice(1)}`;
  return `data type filter cannot use "${leaf.field}" on type "${element}${isArray ? '[]' : ''}", use "${wanted}" instead`;
}

function lengthRefusal(leaf: Leaf): string | null {
  if (leaf.type !== 'int')
    return `Filtering for property length requires IntValue, got "${leaf.field}" instead`;
  if (!/^(NotEqual|Equal|GreaterThan|GreaterThanEqual|LessThan|LessThanEqual)$/.test(leaf.operator)) {
    return `Filtering for property length supports operators (not) equal and greater/less than (equal), got ${leaf.operator} instead`;
  }
  return Number(leaf.value) < 0
    ? `Can only filter for positive property length got ${leaf.value} instead`
    : null;
}

function uuidRefusal(leaf: Leaf, property: PropertyDefinition): string | null {
  if (leaf.type !== 'text') {
    return `property "${property.name}" is of type "uuid" or "uuid[]": specify uuid as string using "valueText"`;
  }
  return /^(Like|WithinGeoRange)$/.test(leaf.operator)
    ? `operator "${leaf.operator}" cannot be used on uuid/uuid[] props`
    : null;
}

/** The property inside `len(…)`. Null for any other name. */
export function lengthOf(name: string): string | null {
  return /^len\((.+)\)$/.exec(name)?.[1] ?? null;
}

function rootOf(name: string): string {
  return name.split(/[.[]/)[0] ?? name;
}
