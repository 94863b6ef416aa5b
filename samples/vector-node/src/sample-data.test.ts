import { expect, it } from 'vitest';
import { withIds } from '../scripts/assign-ids.ts';
import { sampleClasses, sampleObjects } from './sample-data.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const checks: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value !== '',
  int: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && new Date(value).toISOString() === value.replace('Z', '.000Z'),
  uuid: (value) => typeof value === 'string' && UUID.test(value),
  geoCoordinates: (value) => {
    const { latitude, longitude } = value as { latitude: number; longitude: number };
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  },
  object: (value) => typeof value === 'object' && value !== null,
  Mission: (value) => Array.isArray(value) && value.every(({ beacon }) => beacons.has(beacon)),
};

const beacons = new Set(sampleObjects.map((object) => `weaviate://localhost/${object.class}/${object.id}`));

it('has four collections of at least 120 objects, one with tenants, one with named vectors', () => {
  const sizes = sampleClasses.map(({ class: name }) => sampleObjects.filter((o) => o.class === name).length);
  expect(sizes.every((size) => size >= 120)).toBe(true);
  expect(
    sampleClasses.map((c) => [c.class, c.multiTenancyConfig?.enabled, Object.keys(c.vectorConfig ?? {})]),
  ).toEqual([
    ['Mission', undefined, []],
    ['Species', undefined, ['description', 'habitat']],
    ['Invention', undefined, []],
    ['MuseumNote', true, []],
  ]);
  expect([...new Set(sampleObjects.map((object) => object.tenant))]).toEqual([
    undefined,
    'louvre',
    'british-museum',
    'moma',
  ]);
});

it('has properties of eleven types', () => {
  const types = sampleClasses.flatMap((c) => c.properties.flatMap((p) => p.dataType));
  expect([...new Set(types)].sort()).toEqual(
    [
      'text',
      'text[]',
      'int',
      'int[]',
      'number',
      'boolean',
      'date',
      'uuid',
      'geoCoordinates',
      'object',
      'Mission',
    ].sort(),
  );
});

it('holds values of the declared types and no undeclared property', () => {
  for (const object of sampleObjects) {
    const { properties } = sampleClasses.find((candidate) => candidate.class === object.class)!;
    for (const [name, value] of Object.entries(object.properties)) {
      const [type = 'undeclared'] = properties.find((property) => property.name === name)?.dataType ?? [];
      const check = checks[type.replace('[]', '')];
      const values = type.endsWith('[]') ? (value as unknown[]) : [value];
      expect([object.id, name, values.every((one) => check?.(one))]).toEqual([object.id, name, true]);
    }
  }
});

it('has ids that follow from the names of the objects, and no id twice', () => {
  expect(sampleObjects.map(withIds)).toEqual(sampleObjects);
  expect(new Set(sampleObjects.map((object) => object.id)).size).toBe(sampleObjects.length);
});

it('has references to earlier objects only, since Weaviate refuses a reference to a missing object', () => {
  const seen = new Set<string>();
  for (const { class: name, id, properties } of sampleObjects) {
    const references = (properties.buildsOn ?? []) as { beacon: string }[];
    expect(references.filter(({ beacon }) => !seen.has(beacon))).toEqual([]);
    seen.add(`weaviate://localhost/${name}/${id}`);
  }
});
