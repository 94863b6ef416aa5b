import type { StructureSection } from '@trestle/driver-kit';
import type { Collection, VectorSpace } from './schema.ts';
import type { Definition } from './structure-facts.ts';
import { facts, member } from './structure-facts.ts';

/** One section per vector: the module that makes it, and how it is stored and compared. */
export function vectorSections(collection: Collection, definition: Definition): StructureSection[] {
  return collection.vectors.map((space) => {
    const config = space.name === null ? definition : member(member(definition, 'vectorConfig'), space.name);
    const index = String(config.vectorIndexType ?? 'hnsw');
    const settings = member(config, 'vectorIndexConfig');
    return facts(
      space.name === null ? 'Vector' : `Vector ${space.name}`,
      [
        ['Made by', space.vectorizer ?? 'No module: it is sent with the object'],
        ['From', sourcesOf(space)],
        ['Distance', distanceOf(settings)],
        ['Index', indexOf(index, settings)],
        ['Compression', compressionOf(index, settings)],
        ['Several vectors per object', member(settings, 'multivector').enabled === true ? 'Yes' : undefined],
      ],
      true,
    );
  });
}

function sourcesOf({ vectorizer, sources }: VectorSpace): string | undefined {
  if (vectorizer === null) return undefined;
  return sources.length > 0 ? sources.join(', ') : 'No property';
}

export const distances: Record<string, string> = {
  cosine: 'Cosine',
  dot: 'Dot product',
  'l2-squared': 'Squared Euclidean (l2-squared)',
  hamming: 'Hamming',
  manhattan: 'Manhattan',
};

function distanceOf(settings: Definition): string {
  const name = distanceName(settings);
  return distances[name] ?? name;
}

function distanceName(settings: Definition): string {
  return String(settings.distance ?? member(settings, 'hnsw').distance ?? 'cosine');
}

/**
 * Whether the magnitude of a vector affects the distance. A dot product does not count: most vectors that are compared
 * with it have the same magnitude.
 */
export function isByLength(collection: Collection, name: string | null): boolean {
  const definition = collection.definition as Definition;
  const config = name === null ? definition : member(member(definition, 'vectorConfig'), name);
  return ['l2-squared', 'manhattan', 'hamming'].includes(distanceName(member(config, 'vectorIndexConfig')));
}

function indexOf(index: string, settings: Definition): string {
  if (settings.skip === true) return 'None: searches by this vector do not run';
  switch (index) {
    case 'hnsw':
      return settings.maxConnections === undefined ? 'HNSW' : `HNSW, ${settings.maxConnections} links`;
    case 'flat':
      return 'Flat: every vector is compared';
    case 'dynamic':
      return `Dynamic: flat up to ${settings.threshold} objects, then HNSW`;
    default:
      return index;
  }
}

const compressions: [key: string, words: string][] = [
  ['pq', 'Product quantization (PQ)'],
  ['bq', 'Binary quantization (BQ)'],
  ['sq', 'Scalar quantization (SQ)'],
  ['rq', 'Rotational quantization (RQ)'],
];

function compressionOf(index: string, settings: Definition): string {
  const places = index === 'dynamic' ? ['flat', 'hnsw'].map((name) => member(settings, name)) : [settings];
  const found = places.flatMap((place) =>
    compressions.flatMap(([key, words]) => {
      const { enabled, bits } = member(place, key);
      if (enabled !== true) return [];
      return [typeof bits === 'number' && bits > 0 ? `${words}, ${bits} bits` : words];
    }),
  );
  return found.length > 0 ? [...new Set(found)].join('; ') : 'None';
}
