import type { CollectionReader } from './collection-reader.ts';

/** The number of values of a uuid's first 48 bits. Its version and variant come after them. */
const places = 2 ** 48;

const probes = 100;
const rowsAProbe = 16;
/**
 * The mean distance between uuids may differ from `1 / total` by 8%. That is about three standard deviations if the
 * uuids are random.
 */
const tolerance = 0.08;

/** The uuid at a position from 0 to 1 in the whole range. */
export function uuidAt(place: number): string {
  const digits = Math.min(places - 1, Math.floor(place * places))
    .toString(16)
    .padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

function placeOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) / places;
}

/**
 * Reads up to 16 uuids at each of a hundred positions and measures how far apart they are. Random uuids are
 * `1 / total` apart on average. If some uuids are clustered, the others are farther apart. A cluster of less than about
 * 7% of all uuids is not noticed.
 */
export async function areEvenlySpread(reader: CollectionReader, total: number): Promise<boolean> {
  let span = 0;
  let found = 0;
  let next = 0;
  const look = async () => {
    for (let probe = next++; probe < probes; probe = next++) {
      const from = (probe + Math.random()) / probes;
      const objects = await reader.list({ limit: rowsAProbe, after: uuidAt(from), withVectors: false });
      const last = objects.length < rowsAProbe ? 1 : placeOf(objects.at(-1)!.id);
      span += last - from;
      found += objects.length;
    }
  };
  await Promise.all(Array.from({ length: 4 }, look));
  if (found === 0) return false;
  return Math.abs((span / found) * total - 1) <= tolerance;
}
