/**
 * Gives every object in data/ its id, and replaces names by ids in references. If an object has a `departmentId`, the
 * script computes its value. To add an object, write it without an id. In its references, use
 * `weaviate://localhost/<Class>/<name>` as the beacon. Then run this script.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { SampleObject } from '../src/sample-data.ts';
import { nameUuid } from './name-uuid.ts';

const FILES = ['missions', 'species', 'inventions', 'museum-notes'];
const BEACON = /^weaviate:\/\/localhost\/(\w+)\/(.+)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function withIds(object: SampleObject): SampleObject {
  const { class: name, tenant, properties } = object;
  const title = properties.name ?? properties.commonName ?? properties.title;
  const resolved: SampleObject['properties'] = {};
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'departmentId') resolved[key] = nameUuid([tenant, properties.department].join('/'));
    else resolved[key] = isReference(value) ? value.map(resolveBeacon) : value;
  }
  const id = nameUuid([name, tenant, title].filter(Boolean).join('/'));
  return { class: name, id, ...(tenant && { tenant }), properties: resolved };
}

interface Beacon {
  beacon: string;
}

function isReference(value: unknown): value is Beacon[] {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'beacon' in value[0];
}

function resolveBeacon({ beacon }: Beacon): Beacon {
  const [, name, target] = BEACON.exec(beacon) ?? [];
  if (!name || !target) throw new Error(`Not a beacon: ${beacon}`);
  return {
    beacon: `weaviate://localhost/${name}/${UUID.test(target) ? target : nameUuid(`${name}/${target}`)}`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of FILES) {
    const file = new URL(`../data/${name}.json`, import.meta.url);
    const objects = JSON.parse(readFileSync(file, 'utf8')) as SampleObject[];
    writeFileSync(file, `${JSON.stringify(objects.map(withIds), null, 2)}\n`);
  }
}
