import { findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { onlyStopwords, unprocessable } from '../errors.ts';
import { isBlank, type StoredObject } from '../store/stored-object.ts';
import { uuidPattern } from '../store/value-check.ts';
import { lengthOf } from './check-clause.ts';
import { type Ordinal, type Test, testOf } from './comparison.ts';
import type { FilterContext } from './filter-context.ts';
import { geoTest } from './geo-range.ts';
import { instantOf } from './instant.ts';
import { likePattern } from './like-pattern.ts';
import { referenceTest } from './reference-filter.ts';
import { textTest } from './text-filter.ts';
import type { Clause, Leaf } from './where.ts';

/**
 * A clause as a test of one object. As in the inverted index, a missing value fails every test except a negated one and
 * `IsNull`. With `indexNullState`, a missing value has the length 0. In a count of references, a missing value counts
 * as 0.
 */
export function compile(clause: Clause, context: FilterContext): Test {
  if (clause.kind === 'leaf') return compileLeaf(clause, context);
  const tests = clause.operands.map((operand, index) => {
    try {
      return compile(operand, context);
    } catch (error) {
      throw isStopwords(error)
        ? unprocessable(`nested query: nested clause at pos ${index}: ${onlyStopwords}`)
        : error;
    }
  });
  const [only] = tests;
  if (only && tests.length === 1 && clause.operator !== 'Not') return only;
  if (clause.operator === 'And') return (object) => tests.every((test) => test(object));
  if (clause.operator === 'Or') return (object) => tests.some((test) => test(object));
  if (tests.length !== 1 || !only) {
    throw resolveFailure(`too many children for operator "Not". Expected 1, given ${tests.length}`);
  }
  return (object) => !only(object);
}

function compileLeaf(leaf: Leaf, context: FilterContext): Test {
  return leaf.operator.startsWith('Contains') ? containsTest(leaf, context) : singleTest(leaf, context);
}

/**
 * One `Equal` test per value. If a value has only stop words, ContainsAll and ContainsNone throw. ContainsAny ignores
 * such a value, and throws if all values have only stop words.
 */
function containsTest(leaf: Leaf, context: FilterContext): Test {
  const word = { text: 'string', date: 'string', int: 'int', number: 'float64', boolean: 'bool' }[
    leaf.type as string
  ];
  if (!word) throw unprocessable(`unsupported type for '${leaf.operator}' operator`);
  if (!Array.isArray(leaf.value)) throw unprocessable(`value type should be []${word} but is ${word}`);
  const tests: Test[] = [];
  leaf.value.forEach((value, index) => {
    try {
      tests.push(singleTest({ ...leaf, operator: 'Equal', value }, context));
    } catch (error) {
      if (!isStopwords(error)) throw error;
      if (leaf.operator !== 'ContainsAny') {
        throw unprocessable(`nested query: nested clause at pos ${index}: ${onlyStopwords}`);
      }
    }
  });
  if (tests.length === 0) throw unprocessable(onlyStopwords);
  if (leaf.operator === 'ContainsAll') return (object) => tests.every((test) => test(object));
  const isAny: Test = (object) => tests.some((test) => test(object));
  return leaf.operator === 'ContainsAny' ? isAny : (object) => !isAny(object);
}

function singleTest(leaf: Leaf, context: FilterContext): Test {
  const name = leaf.path.at(0) ?? '';
  if (Array.isArray(leaf.value)) {
    throw unprocessable(
      leaf.type === 'text'
        ? "expected value to be string, got '[]string'"
        : `expected value to be ${leaf.type}, got []${leaf.type}`,
    );
  }
  const property = findProperty(context.definition, lengthOf(name) ?? name);
  if (property && kindOf(property).element === 'reference' && leaf.path.length > 1) {
    return referenceTest(leaf, property, { ...context, compile });
  }
  const own = leaf.path.at(-1) ?? '';
  if (own === 'id' || own === '_id') return idTest(leaf);
  if (own === '_creationTimeUnix' || own === '_lastUpdateTimeUnix') return timestampTest(leaf, own, context);
  const measured = lengthOf(own);
  const target = findProperty(context.definition, measured ?? own);
  if (!target) throw unprocessable(`property ${own} not found`);
  if (measured !== null) return lengthTest(leaf, target, context);
  if (leaf.operator === 'IsNull') return nullTest(leaf, target, context);
  const { element } = kindOf(target);
  if (element === 'geoCoordinates') {
    if (leaf.operator !== 'WithinGeoRange') throw missingBucket(target.name);
    return geoTest(leaf, target);
  }
  if (element === 'reference') {
    return testOf(leaf, (object) => [object.elements(target.name).length]);
  }
  if (!isIndexed(target)) throw new MissingIndex(target.name);
  if (element === 'text') return textTest(leaf, target, context.definition);
  return valueTest(leaf, target, element);
}

/** `prefixed` in search/filtered.ts adds its prefix to the messages of other errors, but not to this message. */
export class MissingIndex extends Error {
  constructor(name: string) {
    super(
      `Filtering by property '${name}' requires inverted index. Is \`indexFilterable\` option of property '${name}' enabled? Set it to \`true\` or leave empty`,
    );
  }
}

function valueTest(leaf: Leaf, property: PropertyDefinition, element: string): Test {
  const bound = boundOf(leaf, element);
  const test = testOf({ ...leaf, value: bound }, (object) =>
    object.elements(property.name).map((value) => ordinal(value, element)),
  );
  // Weaviate does not read a range index key by key, so this test has no `keys` (see `Test`).
  return property.indexRangeFilters ? (object) => test(object) : test;
}

function boundOf(leaf: Leaf, element: string): Ordinal {
  if (element === 'uuid') return uuidOf(String(leaf.value));
  if (element !== 'date') return leaf.value as Ordinal;
  const instant = instantOf(String(leaf.value));
  if (instant !== null) return instant;
  throw unprocessable(
    `trying parse time as RFC3339 string: parsing time "${leaf.value}" as "2006-01-02T15:04:05Z07:00": cannot parse "${leaf.value}" as "2006"`,
  );
}

/**
 * Accepts the forms of Go's `uuid.Parse`, which Weaviate uses: 32 hex digits, or 36 characters with hyphens. These 36
 * characters may be in braces or after `urn:uuid:`. In place of the braces, Go accepts any two characters.
 */
function uuidOf(text: string): string {
  const refuse = (problem: string) => unprocessable(`parse uuid filter value: ${problem}`);
  const length = Buffer.byteLength(text);
  if (![32, 36, 38, 45].includes(length)) throw refuse(`invalid UUID length: ${length}`);
  const prefix = text.slice(0, 9);
  if (length === 45 && prefix.toLowerCase() !== 'urn:uuid:') throw refuse(`invalid urn prefix: "${prefix}"`);
  const bare = { 32: text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), 38: text.slice(1, -1) }[
    length
  ];
  const uuid = bare ?? text.slice(-36);
  if (!uuidPattern.test(uuid)) throw refuse('invalid UUID format');
  return uuid.toLowerCase();
}

function ordinal(value: unknown, element: string): Ordinal {
  return element === 'date' ? (instantOf(String(value)) ?? 0n) : (value as Ordinal);
}

function idTest(leaf: Leaf): Test {
  if (leaf.operator !== 'Like') return testOf(leaf, ({ id }) => [id]);
  const pattern = likePattern(String(leaf.value));
  return ({ id }) => pattern.test(id);
}

/** The index stores milliseconds as text, and compares them as text. */
function timestampTest(leaf: Leaf, name: string, { definition }: FilterContext): Test {
  if (!definition.invertedIndexConfig?.indexTimestamps) {
    throw resolveFailure(
      `Timestamps must be indexed to be filterable! Add \`IndexTimestamps: true\` to the InvertedIndexConfig in ${definition.class}`,
    );
  }
  const instant = leaf.type === 'date' ? instantOf(String(leaf.value)) : null;
  const value = instant === null ? String(leaf.value) : String(instant / 1_000_000n);
  if (!/^-?\d+$/.test(value)) throw unprocessable(`expected value to be timestamp, got '${leaf.value}'`);
  const read = ({ createdAt, updatedAt }: StoredObject) => [
    String(name === '_creationTimeUnix' ? createdAt : updatedAt),
  ];
  return testOf({ ...leaf, value }, read);
}

function nullTest(leaf: Leaf, property: PropertyDefinition, { definition }: FilterContext): Test {
  if (!definition.invertedIndexConfig?.indexNullState) {
    throw resolveFailure(
      'Nullstate must be indexed to be filterable! Add `indexNullState: true` to the invertedIndexConfig',
    );
  }
  if (!isIndexed(property)) throw missingBucket(`${property.name}_nullState`);
  // Weaviate stores no null state for these types: `IsNull` finds no object, whether its value is true or false.
  if (['geoCoordinates', 'phoneNumber', 'blob'].includes(kindOf(property).element)) return () => false;
  return (object) => isBlank(object.read(property.name)) === leaf.value;
}

/** Without `indexNullState`, the index has only the lengths of present values. */
function lengthTest(leaf: Leaf, property: PropertyDefinition, { definition }: FilterContext): Test {
  if (!definition.invertedIndexConfig?.indexPropertyLength) {
    throw resolveFailure(
      `Property length must be indexed to be filterable! add \`IndexPropertyLength: true\` to the invertedIndexConfig in ${definition.class}.  Geo-coordinates, phone numbers and data blobs are not supported by property length.`,
    );
  }
  const { element, isArray } = kindOf(property);
  if (!isIndexed(property) || !(isArray || element === 'text')) {
    throw missingBucket(`${property.name}_propertyLength`);
  }
  const knowsNulls = definition.invertedIndexConfig.indexNullState === true;
  return testOf(leaf, (object) => {
    const value = object.read(property.name);
    if (isBlank(value)) return knowsNulls || value !== undefined ? [0] : [];
    return [Array.isArray(value) ? value.length : Array.from(String(value)).length];
  });
}

export function isIndexed(property: PropertyDefinition): boolean {
  return Boolean(property.indexFilterable || property.indexSearchable || property.indexRangeFilters);
}

function missingBucket(name: string): Error {
  return resolveFailure(`bucket for prop ${name} not found - is it indexed?`);
}

function resolveFailure(message: string): Error {
  return unprocessable(`resolve doc ids for prop/value pair: ${message}`);
}

function isStopwords(error: unknown): boolean {
  return error instanceof Error && error.message === onlyStopwords;
}
