import type { Json } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { holdsOnly, holdsValues, holdsVectors } from './same-values.ts';
import type { Collection, ElementType, Property } from './schema.ts';
import { uuidBefore } from './sure-read.ts';

const property = (name: string, elementType: ElementType, nested: Property[] = []) =>
  ({ name, elementType, nested, references: ['Place'], isArray: false }) as unknown as Property;

const plain: Property[] = [
  property('at', 'date'),
  property('count', 'int'),
  property('share', 'number'),
  property('where', 'geoCoordinates'),
  property('phone', 'phoneNumber'),
  property('link', 'uuid'),
  property('near', 'reference'),
  property('tags', 'text'),
];
const collection = { properties: [...plain, property('inner', 'object', plain)] } as unknown as Collection;

const id = '77777777-7777-4777-8777-77777777777A';
const sent: { [name: string]: Json } = {
  at: '2026-01-02T03:04:05.1200000009+02:00',
  count: -0,
  share: 0.1,
  where: { latitude: 52.3738, longitude: -0 },
  phone: { input: '030 123', defaultCountry: 'DE' },
  link: id,
  near: [{ beacon: `weaviate://localhost/Place/${id}` }],
  tags: [],
};
const stored: { [name: string]: Json } = {
  at: '2026-01-02T01:04:05.12Z',
  count: 0,
  share: 0.1,
  where: { latitude: Math.fround(52.3738), longitude: -0 },
  phone: { input: '030 123', defaultCountry: 'de', valid: true, countryCode: 49 },
  link: id.toLowerCase(),
  near: [{ beacon: `weaviate://localhost/Place/${id.toLowerCase()}`, href: '/v1/objects/Place/x' }],
};
const holds = (values: { [name: string]: Json }, wanted: { [name: string]: Json }) =>
  holdsOnly({ id, properties: values }, wanted, collection);

test('a value that the server stored in another form counts as the same value, also inside objects and lists', () => {
  expect(holds(stored, sent)).toBe(true);
  expect(holds({ inner: stored }, { inner: sent })).toBe(true);
  expect(holds({ inner: [stored, stored] }, { inner: [sent, sent] })).toBe(true);
  expect(holds({ at: [stored.at!] }, { at: [sent.at!] })).toBe(true);
  expect(holds({}, { inner: { tags: [] } })).toBe(true);
});

test('a different value is recognised', () => {
  const others = {
    at: '2026-01-02T01:04:05.121Z',
    count: 1,
    share: 0.2,
    where: { latitude: 1, longitude: 0 },
    phone: { input: '030 123', defaultCountry: 'US' },
    link: id.replace('7', '8'),
    near: [],
    tags: ['one'],
  };
  for (const [name, value] of Object.entries(others)) {
    expect([name, holds({ ...stored, [name]: value }, sent)]).toEqual([name, false]);
    expect([name, holds({ inner: { ...stored, [name]: value } }, { inner: sent })]).toEqual([name, false]);
  }
  expect(holds({ at: '2026-01-02T01:04:05.0000001Z' }, { at: '2026-01-02T01:04:05Z' })).toBe(false);
});

test('a new object must hold only the sent values, and an updated object may hold other values', () => {
  expect(holds(stored, {})).toBe(false);
  expect(holdsValues({ id, properties: stored }, { count: 0 }, collection)).toBe(true);
  expect(holdsValues({ id, properties: stored }, { count: null }, collection)).toBe(false);
  expect(holdsValues({ id, properties: {} }, { gone: 1 }, collection)).toBe(false);
});

test('a vector that the server rounded counts as the same vector, and a different vector is recognised', () => {
  const vector = [0.1, -0, 1e-3];
  const rounded = vector.map((one) => (one === 0 ? one : Number(Math.fround(one).toPrecision(9))));
  expect(holdsVectors({ id, vector: rounded }, { '': vector })).toBe(true);
  expect(holdsVectors({ id, vectors: { title: rounded } }, { title: vector })).toBe(true);
  expect(holdsVectors({ id, vector: [0.1, 0, 1e-3] }, { '': vector })).toBe(false);
  expect(holdsVectors({ id, vectors: { tokens: [rounded, rounded] } }, { tokens: [vector, vector] })).toBe(
    true,
  );
  expect(holdsVectors({ id, vector: rounded }, {})).toBe(true);
  expect(holdsVectors({ id, vector: [0.1, 0, 1.001e-3] }, { '': vector })).toBe(false);
  expect(holdsVectors({ id, vector: rounded.slice(1) }, { '': vector })).toBe(false);
  expect(holdsVectors({ id }, { '': vector })).toBe(false);
  expect(holdsVectors({ id, vectors: { other: rounded } }, { title: vector })).toBe(false);
});

test('uuidBefore returns the uuid just before the given one, and an empty text for the first uuid', () => {
  expect(uuidBefore('10000000-0000-0000-0000-000000000000')).toBe('0fffffff-ffff-ffff-ffff-ffffffffffff');
  expect(uuidBefore('00000000-0000-0000-0000-000000000000')).toBe('');
});
