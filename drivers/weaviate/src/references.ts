import {
  DriverError,
  type FindReferencesRequest,
  type Json,
  ownValue,
  parseCell,
  type ReadReferencesRequest,
  type ReferenceTarget,
} from '@trestle/driver-kit';
import { beaconOf, readBeacon } from './beacon.ts';
import type { CollectionReader } from './collection-reader.ts';
import { findColumn, gridColumns } from './columns.ts';
import type { FilterContext } from './operators.ts';
import { idsIn, type Where } from './requests/model/where.ts';
import type { Collection, Property } from './schema.ts';
import { whereOf } from './where.ts';

/** The reader of a collection by its name. */
export type TargetReaders = (
  collection: string,
) => { context: FilterContext; reader: CollectionReader } | undefined;

/** The most ids in one request. With many more in a filter, the server gets slow or refuses the request. */
const together = 200;

export async function readReferences(
  collection: Collection,
  { column, cells }: ReadReferencesRequest,
  readers: TargetReaders,
): Promise<ReferenceTarget[][]> {
  const property = referenceNamed(collection, column);
  const beacons = cells.map((cell) =>
    Array.isArray(cell) ? cell.flatMap((one) => beaconIn(one, property)) : [],
  );
  const byCollection = Map.groupBy(beacons.flat(), (beacon) => beacon.collection);
  const titles = new Map<string, string>();
  for (const [name, list] of byCollection) {
    const at = readers(name);
    const ids = [...new Set(list.map(({ id }) => id))];
    for (let start = 0; at && start < ids.length; start += together) {
      const found = await targetsById(at, ids.slice(start, start + together));
      for (const { id, title } of found) titles.set(`${name}/${id}`, title);
    }
  }
  return beacons.map((list) =>
    list.map(({ collection: table, id }) => targetOf(table, id, titles.get(`${table}/${id}`) ?? null)),
  );
}

export async function findReferences(
  collection: Collection,
  { column, text, limit }: FindReferencesRequest,
  readers: TargetReaders,
): Promise<ReferenceTarget[]> {
  const property = referenceNamed(collection, column);
  const found = await Promise.all(
    property.references.map(async (name) => {
      const at = readers(name);
      if (!at) return [];
      const targets = await targetsByTitle(at, text.trim(), limit);
      return targets.map(({ id, title }) => targetOf(name, id, title));
    }),
  );
  return found.flat().slice(0, limit);
}

function referenceNamed(collection: Collection, name: string): Property {
  const { source } = findColumn(gridColumns(collection), name, collection);
  if (source.kind === 'property' && source.property.elementType === 'reference') return source.property;
  throw new DriverError({ code: 'invalid_argument', message: `${name} is not a reference` });
}

function beaconIn(value: Json, property: Property) {
  const text = typeof value === 'string' ? value : (value as { beacon?: Json } | null)?.beacon;
  const beacon = readBeacon(text, property);
  return beacon ? [beacon] : [];
}

function targetOf(table: string, id: string, title: string | null): ReferenceTarget {
  return { table, key: { uuid: id }, title, value: { beacon: beaconOf(table, id) } };
}

type Target = { id: string; title: string };

function targetsById({ reader }: { reader: CollectionReader }, ids: string[]): Promise<Target[]> {
  return readTitles(reader, idsIn(ids), ids.length);
}

async function targetsByTitle(
  { context, reader }: { context: FilterContext; reader: CollectionReader },
  text: string,
  limit: number,
): Promise<Target[]> {
  if (text === '') return readTitles(reader, null, limit);
  const uuid = parseCell(text, 'uuid');
  if (uuid.ok) return targetsById({ reader }, [String(uuid.cell)]);
  const title = titleOf(reader.collection);
  if (!title) return [];
  const columns = gridColumns(reader.collection);
  const column = columns.find(({ source }) => source.kind === 'property' && source.property === title);
  if (!column) return [];
  const filters = spellings(text, title).map((value) => ({
    column: column.name,
    operator: 'contains' as const,
    value,
  }));
  try {
    return await readTitles(reader, whereOf(filters, 'any', columns, context), limit);
  } catch (error) {
    // The index cannot search for this text, so the search finds no row.
    if (error instanceof DriverError && error.code === 'filter_unrunnable') return [];
    throw error;
  }
}

/** The texts to look for. If the index distinguishes case, also the text in other usual cases, such as all upper. */
function spellings(text: string, { tokenization }: Property): string[] {
  if (tokenization !== 'field' && tokenization !== 'whitespace') return [text];
  const lower = text.toLowerCase();
  const titled = lower.replace(/(?<=^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, first, titled, text.toUpperCase()])];
}

async function readTitles(reader: CollectionReader, where: Where | null, limit: number): Promise<Target[]> {
  const title = titleOf(reader.collection);
  const columns = gridColumns(reader.collection).filter(
    ({ source }) => source.kind === 'property' && source.property === title,
  );
  const rows = await reader.find({ columns, where, limit });
  return rows.map(({ object: { id, properties } }) => {
    const text = title ? ownValue(properties, title.name) : null;
    return { id, title: typeof text === 'string' && text !== '' ? text : id };
  });
}

/** The property that names an object: one with a name such as `title`, or the first text property. */
export function titleOf({ properties }: Collection): Property | undefined {
  const texts = properties.filter(({ elementType, isArray }) => elementType === 'text' && !isArray);
  const named = (pattern: RegExp) => texts.find(({ name }) => pattern.test(name));
  return named(/^(title|name|label)$/i) ?? named(/(title|name|label)$/i) ?? texts[0];
}
