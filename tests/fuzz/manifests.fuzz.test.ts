import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkFields,
  connectionAddress,
  defaultFields,
  findSuggestion,
  isFieldVisible,
  type Manifest,
  readPastedUrl,
} from '@trestle/driver-kit';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzz } from './fuzz.ts';
import { anyText } from './texts.ts';

const shipped = ['sqlite', 'weaviate'].map(
  (id) =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, '..', '..', 'drivers', id, 'manifest.json'), 'utf8'),
    ) as Manifest,
);

interface Change {
  /** The place in the manifest, as a fraction of all places. */
  at: number;
  kind: 'replace' | 'remove' | 'add' | 'double';
  name: string;
  value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'double'),
  name: fc.constantFrom(
    'default',
    'visibleWhen',
    'constructor',
    '__proto__',
    'toString',
    'host',
    'min',
    'write',
  ),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      'secret',
      'file',
      'text',
      'integer',
      'boolean',
      '../x.js',
      'x.js/..',
      '1.0.0/..',
      -1,
      1e21,
    ),
    fc.constant({ field: 'constructor', oneOf: [true] }),
  ),
});

/** Every object and list in the value, the outermost first. */
function placesIn(value: unknown): (Record<string, unknown> | unknown[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(placesIn)];
}

function changed(manifest: unknown, changes: Change[]): unknown {
  const copy = structuredClone(manifest);
  for (const { at, kind, name, value } of changes) {
    const places = placesIn(copy).flatMap((holder) => Object.keys(holder).map((key) => ({ holder, key })));
    const place = places[Math.floor(at * places.length)];
    if (!place) continue;
    const holder = place.holder as Record<string, unknown>;
    if (kind === 'replace') holder[place.key] = structuredClone(value);
    else if (kind === 'remove' && !Array.isArray(holder)) delete holder[place.key];
    else if (kind === 'double' && Array.isArray(holder))
      holder.push(structuredClone(holder[Number(place.key)]));
    else
      Object.defineProperty(holder, name, {
        value: structuredClone(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}

const fieldValue = fc.oneof(
  anyText,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('', ' ', 'a:1/x'),
);

fuzz({
  name: 'manifests',
  holds:
    'a manifest is refused, or its paths stay in their folder, its form works and its network fields have the right types',
  short: 1000,
  weight: 2,
  inputs: fc.record({
    driver: fc.integer({ min: 0, max: shipped.length - 1 }),
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    values: fc.array(fieldValue, { minLength: 3, maxLength: 3 }),
  }),
  property({ driver, changes, values }) {
    const parsed = manifestSchema.safeParse(JSON.parse(JSON.stringify(changed(shipped[driver], changes))));
    if (!parsed.success) return;
    const manifest = parsed.data;
    expect(manifestSchema.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
    // The id, the version and the entry become parts of file paths.
    expect(join('/plugins', manifest.id, manifest.version, manifest.entry)).toBe(
      `/plugins/${manifest.id}/${manifest.version}/${manifest.entry}`,
    );
    const ids = manifest.fields.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const filled = {
      ...defaultFields(manifest),
      ...Object.fromEntries(ids.map((id, index) => [id, values[index % values.length]!])),
    };
    for (const fields of [defaultFields(manifest), filled]) {
      const problems = checkFields(manifest, fields, 'optional');
      expect(ids).toEqual(expect.arrayContaining(Object.keys(problems)));
      expect(connectionAddress(manifest, fields)).toEqual(expect.any(String));
      findSuggestion(manifest, fields);
      for (const field of manifest.fields) {
        isFieldVisible(field, fields);
        // A manifest must not set a default for a file, a folder or a secret.
        if (['file', 'folder', 'secret', 'secretHeaders'].includes(field.type))
          expect(defaultFields(manifest)[field.id]).toBeUndefined();
        const pasted = readPastedUrl(field, String(values[0]));
        expect(ids).toEqual(expect.arrayContaining(Object.keys(pasted ?? {})));
      }
    }
    const { network } = manifest.process;
    if (network) {
      const typeOf = (id: string) => manifest.fields.find((field) => field.id === id)?.type;
      expect([typeOf(network.host), typeOf(network.port)]).toEqual(['text', 'integer']);
    }
  },
});
