import type { FilterOperator } from '@trestle/driver-kit';
import { filterOperators } from '@trestle/driver-kit';
import type { OracleFilter, OracleObject, OracleProperty, OracleValue } from './filter-oracle.ts';

/** A collection with each type and tokenization that the oracle knows, and values that are hard for a filter. */

const tokenizations = ['word', 'lowercase', 'whitespace', 'field', 'trigram'] as const;
const scalarTypes = ['int', 'number', 'boolean', 'date', 'uuid'] as const;

export const properties: OracleProperty[] = [
  ...tokenizations.flatMap((tokenization) => [
    { name: `text_${tokenization}`, type: 'text' as const, isArray: false, tokenization },
    { name: `texts_${tokenization}`, type: 'text' as const, isArray: true, tokenization },
  ]),
  ...scalarTypes.flatMap((type) => [
    { name: `${type}_one`, type, isArray: false },
    { name: `${type}_list`, type, isArray: true },
  ]),
];

export function schemaOf(name: string): object {
  return {
    class: name,
    vectorizer: 'none',
    vectorIndexConfig: { skip: true },
    invertedIndexConfig: { indexNullState: true, indexPropertyLength: true },
    properties: properties.map((property) => ({
      name: property.name,
      dataType: [`${property.type}${property.isArray ? '[]' : ''}`],
      ...(property.tokenization && { tokenization: property.tokenization }),
    })),
  };
}

/** A small generator of random numbers. The same seed reproduces a failing case. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }
  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

const words = [
  'the',
  'and',
  'Apollo',
  'apollo',
  'ERP_System',
  'Müller',
  'straße',
  'naïve',
  'a',
  'x1',
  'C++',
  '😂',
  '日本語',
  'foo-bar',
  'foo',
  'bar',
  '"quoted"',
  'back\\slash',
  '{brace}',
  'ΣΑΣ',
  '42',
  '...',
];

const uuids = Array.from({ length: 5 }, (_, index) => `6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a1${index}`);
const dates = [
  '1999-12-31T23:59:59Z',
  '2000-01-01T00:00:00Z',
  '2026-07-28T09:30:00.5Z',
  '2026-07-28T11:30:00+02:00',
];
const integers = [0, 1, -1, 42, 2147483648, -2147483649, 9007199254740991, 7];
const numbers = [0, 0.1, -1.5, 2.5, 1e15, 1e-9, 2];

export function makeObjects(count: number, random: Random): OracleObject[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    values: Object.fromEntries(properties.map((property) => [property.name, randomValue(property, random)])),
  }));
}

function randomValue(property: OracleProperty, random: Random): OracleValue {
  const roll = random.next();
  if (roll < 0.15) return null;
  if (property.isArray) return Array.from({ length: random.below(4) }, () => randomElement(property, random));
  if (property.type === 'text' && roll < 0.22) return '';
  return randomElement(property, random);
}

function randomElement(property: OracleProperty, random: Random): string | number | boolean {
  switch (property.type) {
    case 'text':
      return Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(
        random.pick([' ', ' ', ', ', '\n']),
      );
    case 'int':
      return random.pick(integers);
    case 'number':
      return random.pick(numbers);
    case 'boolean':
      return random.next() < 0.5;
    case 'date':
      return random.pick(dates);
    case 'uuid':
      return random.pick(uuids);
  }
}

export function randomFilter(random: Random, objects: OracleObject[]): OracleFilter {
  const column = random.next() < 0.05 ? 'uuid' : random.pick(properties).name;
  return filterFor(column, random.pick(filterOperators), random, objects);
}

/** A filter whose values have the type of the column. Many of the values come from the data. */
export function filterFor(
  column: string,
  operator: FilterOperator,
  random: Random,
  objects: OracleObject[],
): OracleFilter {
  const property = properties.find((one) => one.name === column);
  const value = () => {
    if (!property) return pieceOfId(operator, random, objects);
    const known = objects
      .map((object) => object.values[column])
      .flatMap((one) => (one === null || one === undefined ? [] : one));
    const usable = known.filter((one) => one !== '');
    const drawn =
      usable.length > 0 && random.next() < 0.5 ? random.pick(usable) : randomElement(property, random);
    return typeof drawn === 'string' && property.type === 'text' ? twist(drawn, random) : drawn;
  };
  if (/^is_/.test(operator)) return { column, operator };
  if (operator === 'between') return { column, operator, value: [value(), value()] };
  if (/in_list$/.test(operator))
    return { column, operator, value: Array.from({ length: 1 + random.below(3) }, value) };
  return { column, operator, value: value() };
}

function pieceOfId(operator: FilterOperator, random: Random, objects: OracleObject[]): string {
  const { id } = random.pick(objects);
  return /contains|with/.test(operator) ? id.slice(-3) : id;
}

function twist(text: string, random: Random): string {
  switch (random.below(6)) {
    case 0:
      return text.toUpperCase();
    case 1:
      return text.slice(0, 1 + random.below(text.length)).toWellFormed();
    case 2:
      return text.split(' ').reverse().join(' ');
    case 3:
      return `${text}${random.pick(['*', '?', ' ', '!', '\n'])}`;
    default:
      return text;
  }
}
