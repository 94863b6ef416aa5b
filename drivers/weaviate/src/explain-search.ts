import {
  isDriverError,
  type SearchExplanation,
  type SearchRequest,
  type SearchTerm,
} from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import type { CollectionReader } from './collection-reader.ts';
import { gridColumns } from './columns.ts';
import { searchedProperties } from './described-search.ts';
import { partsIn } from './explain-score.ts';
import { countedWords, type MatchedWord, matchedWords } from './matched-words.ts';
import type { FilterContext } from './operators.ts';
import type { FoundObject } from './requests/model/objects.ts';
import type { Property } from './schema.ts';
import { sharedItems } from './shared-items.ts';

/**
 * Explains why a keyword or hybrid search found each row, in the order of `rows`, which have the values of the searched
 * properties. The words are looked up in these values. The words in the server's `explainScore` are random if the
 * properties are split differently (Weaviate 1.39), so only its sentences about the parts of a hybrid search are used.
 */
export async function explainRows(
  reader: CollectionReader,
  request: SearchRequest,
  rows: FoundObject[],
  context: FilterContext,
): Promise<SearchExplanation[]> {
  const properties = searchedProperties(request, context);
  const parts = rows.map(({ explainScore }) =>
    request.mode === 'hybrid' ? partsIn(explainScore ?? '') : {},
  );
  const byWords = rows.filter((_, row) => request.mode === 'keyword' || parts[row]!.keyword !== undefined);
  const split = await splitByServer(reader, request, byWords, properties);
  const names = new Map(
    gridColumns(reader.collection).flatMap(({ name, source }) =>
      source.kind === 'property' ? [[source.property.name, name] as const] : [],
    ),
  );
  return rows.map((row, index): SearchExplanation => {
    if (!byWords.includes(row)) return { terms: [], ...parts[index] };
    const terms: SearchTerm[] = [];
    const unknown: string[] = [];
    for (const property of properties) {
      const texts = textsOf(row, property);
      const column = names.get(property.name)!;
      const found =
        texts.length === 0
          ? []
          : (matchedWords(request.text ?? '', texts, property, reader.collection.stopwords) ??
            split(property, texts));
      if (found === null) unknown.push(column);
      else terms.push(...found.map((one) => ({ ...one, column })));
    }
    return {
      terms: inOrderOf(request.text ?? '', terms),
      ...(unknown.length > 0 && { unknown }),
      ...parts[index],
    };
  });
}

function textsOf({ object }: FoundObject, { name }: Property): string[] {
  const value = object.properties?.[name];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

/** Words that only one kind of splitting has, such as a whole value, come after those at the same place. */
function inOrderOf(text: string, terms: SearchTerm[]): SearchTerm[] {
  const letters = text.toLowerCase();
  const places = new Map(terms.map(({ term }) => [term, letters.indexOf(term.toLowerCase())]));
  return terms.toSorted((a, b) => places.get(a.term)! - places.get(b.term)!);
}

/** A page with more texts than this is not split completely: each text is one request. */
const mostTexts = 200;

/**
 * For the properties that only the server can split, such as Chinese or Japanese text: the words of the search in the
 * texts of a property. Null if the server is older than 1.37, or fails to split them.
 */
async function splitByServer(
  reader: CollectionReader,
  { text = '' }: SearchRequest,
  rows: FoundObject[],
  properties: Property[],
): Promise<(property: Property, texts: string[]) => MatchedWord[] | null> {
  const splits = new Map<string, string[] | null>();
  const key = ({ name }: Property, one: string) => JSON.stringify([name, one]);
  const splitEach = async (texts: { property: Property; text: string }[]) => {
    const waiting = sharedItems(texts);
    const worker = async () => {
      for (const one of waiting) splits.set(key(one.property, one.text), await splitOne(reader, one));
    };
    await Promise.all(Array.from({ length: Math.min(8, texts.length) }, worker));
  };
  const foreign = properties.filter((property) => matchedWords('', [], property, new Set()) === null);
  await splitEach(foreign.map((property) => ({ property, text })));
  const texts = foreign
    .filter((property) => splits.get(key(property, text)))
    .flatMap((property) =>
      rows.flatMap((row) => textsOf(row, property).map((one) => ({ property, text: one }))),
    );
  await splitEach(texts.slice(0, mostTexts));
  return (property, parts) => {
    const words = splits.get(key(property, text));
    const indexed = parts.map((one) => splits.get(key(property, one)) ?? null);
    if (!words || indexed.includes(null)) return null;
    return countedWords(
      words,
      indexed.flatMap((one) => one ?? []),
    );
  };
}

/**
 * The words of a text as the index has them. The server also sends the words of a search, but it leaves out stop words
 * there that its searches do find (Weaviate 1.39).
 */
async function splitOne(
  { client, collection, signal }: CollectionReader,
  { property, text }: { property: Property; text: string },
): Promise<string[] | null> {
  try {
    const answer = await client.json({
      method: 'POST',
      path: `/v1/schema/${collection.name}/properties/${property.name}/tokenize`,
      body: { text },
      ceiling: 'read',
      signal,
    });
    return isRecord(answer) && areTexts(answer.indexed) ? answer.indexed : null;
  } catch (error) {
    if (!isDriverError(error) || error.code === 'cancelled') throw error;
    return null;
  }
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
