import type { ListValueSchema, MessageInitShape, ValueSchema } from '@trestle/weaviate-connect';
import { kindOf, type PropertyDefinition } from '../definition.ts';

export type ValueInit = MessageInitShape<typeof ValueSchema>;
type ListInit = MessageInitShape<typeof ListValueSchema>;

/** The members of an object property that an answer has. Undefined: all but the blobs. */
export type Members = Map<string, Members | undefined> | undefined;

/** A stored value as a message. `members` is for an object or a list of objects. */
export function valueMessage(value: unknown, property: PropertyDefinition, members?: Members): ValueInit {
  if (value === undefined || value === null) return { kind: { case: 'nullValue', value: 0 } };
  const { element, isArray } = kindOf(property);
  if (isArray) {
    return {
      kind: { case: 'listValue', value: listMessage(value as unknown[], element, property, members) },
    };
  }
  switch (element) {
    case 'int':
      return { kind: { case: 'intValue', value: int64(value as number) } };
    case 'number':
      return { kind: { case: 'numberValue', value: value as number } };
    case 'boolean':
      return { kind: { case: 'boolValue', value: value as boolean } };
    case 'date':
      return { kind: { case: 'dateValue', value: String(value) } };
    case 'uuid':
      return { kind: { case: 'uuidValue', value: String(value) } };
    case 'blob':
      return { kind: { case: 'blobValue', value: String(value) } };
    case 'geoCoordinates':
      return { kind: { case: 'geoValue', value: value as { latitude: number; longitude: number } } };
    case 'phoneNumber':
      return { kind: { case: 'phoneValue', value: phoneMessage(value as Phone) } };
    case 'object':
      return { kind: { case: 'objectValue', value: objectMessage(value as object, property, members) } };
    default:
      return { kind: { case: 'textValue', value: String(value) } };
  }
}

function listMessage(
  values: unknown[],
  element: string,
  property: PropertyDefinition,
  members: Members,
): ListInit {
  switch (element) {
    case 'int':
      return { kind: { case: 'intValues', value: { values: int64Bytes(values as number[]) } } };
    case 'number':
      return { kind: { case: 'numberValues', value: { values: doubleBytes(values as number[]) } } };
    case 'boolean':
      return { kind: { case: 'boolValues', value: { values: values as boolean[] } } };
    case 'date':
      return { kind: { case: 'dateValues', value: { values: values as string[] } } };
    case 'uuid':
      return { kind: { case: 'uuidValues', value: { values: values as string[] } } };
    case 'object': {
      const objects = values.map((one) => objectMessage(one as object, property, members));
      return { kind: { case: 'objectValues', value: { values: objects } } };
    }
    default:
      return { kind: { case: 'textValues', value: { values: values as string[] } } };
  }
}

/** A member without a value is left out. */
function objectMessage(object: object, { nestedProperties = [] }: PropertyDefinition, members: Members) {
  const fields: Record<string, ValueInit> = {};
  for (const nested of nestedProperties) {
    const isShown = members ? members.has(nested.name) : kindOf(nested).element !== 'blob';
    const value = Object.hasOwn(object, nested.name) ? Reflect.get(object, nested.name) : undefined;
    if (isShown && value !== undefined && value !== null) {
      setField(fields, nested.name, valueMessage(value, nested, members?.get(nested.name)));
    }
  }
  return { fields };
}

/** A property may be called `__proto__`. An assignment would not store it. */
export function setField(fields: Record<string, ValueInit>, name: string, value: ValueInit): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

interface Phone {
  countryCode?: number;
  national?: number;
  [field: string]: unknown;
}

function phoneMessage({ countryCode = 0, national = 0, ...texts }: Phone) {
  return { ...texts, countryCode: BigInt(countryCode), national: BigInt(national) };
}

/** Weaviate's conversion of a number from 2^63 on overflows. */
export function int64(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -(2n ** 63n);
}

function int64Bytes(values: number[]): Uint8Array {
  return new Uint8Array(BigInt64Array.from(values, int64).buffer);
}

function doubleBytes(values: number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}
