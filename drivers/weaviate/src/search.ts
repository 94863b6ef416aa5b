import {
  DriverError,
  float32ToNumber,
  type Json,
  maskedUse,
  type Page,
  type SearchRequest,
} from '@trestle/driver-kit';
import { filterOf } from './browse.ts';
import type { CollectionReader } from './collection-reader.ts';
import { chooseColumns } from './columns.ts';
import { GuardedColumns } from './guarded-columns.ts';
import type { Literal } from './literal.ts';
import type { FilterContext } from './operators.ts';
import { rowSetOf } from './row-set.ts';
import { searchesOf } from './searches.ts';
import { vectorLengthFailure } from './vector-length.ts';

/** The nearest or best objects first, each with its distance or score. */
export async function search(
  reader: CollectionReader,
  request: SearchRequest,
  context: FilterContext,
): Promise<Page> {
  const support = searchesOf(reader.collection).modes.find(({ mode }) => mode === request.mode);
  if (!support || support.refusal) {
    throw new DriverError({ code: 'unsupported', message: support?.refusal ?? `No search ${request.mode}` });
  }
  assertVectorsFree(request, reader);
  const columns = chooseColumns(reader.collection, request.columns);
  const measure = request.mode === 'keyword' || request.mode === 'hybrid' ? 'score' : 'distance';
  const where = filterOf(request, context);
  const given = { ...searchArgument(request, reader), where: where ?? undefined };
  const wanted = {
    columns: columns.filter(({ source }) => source.kind !== 'vector'),
    additional: [measure],
  };
  const { result: rows, limit } = await reader
    .deep({ offset: 0, limit: request.limit }, (limit) =>
      reader.get({ ...wanted, arguments: { ...given, limit } }),
    )
    .catch((error) => {
      throw namingLengths(error, request);
    });
  const objects = rows.map(({ object }) => object);
  const vectors = columns.some(({ source }) => source.kind === 'vector');
  const full = vectors
    ? await reader.readAll(
        objects.map(({ id }) => id),
        true,
      )
    : [];
  const found = rowSetOf(
    objects.map((object, index) => ({
      ...object,
      vector: full[index]?.vector,
      vectors: full[index]?.vectors ?? null,
    })),
    columns,
  );
  const name = columns.some((column) => column.name === measure) ? `${measure} (search)` : measure;
  // Beside the uuid, where the eye looks for it.
  found.columns.splice(1, 0, { name, type: 'number', nativeType: measure, isMeasure: true });
  found.values.splice(1, 0, {
    kind: 'cells',
    cells: rows.map(({ additional }) => numeric(additional[measure])),
  });
  return { rows: found, ...(limit < request.limit && { note: reader.depth.note() }) };
}

function namingLengths(error: unknown, { vector, table }: SearchRequest): unknown {
  if (!vector || !(error instanceof DriverError)) return error;
  return vectorLengthFailure(error.message, { given: vector.length, table }) ?? error;
}

function searchArgument(
  request: SearchRequest,
  reader: CollectionReader,
): { [name: string]: Literal | undefined } {
  const targetVectors = targetOf(request, reader);
  switch (request.mode) {
    case 'near_text':
      return { nearText: { concepts: [needed(request.text, 'a text')], targetVectors } };
    case 'near_vector':
      return { nearVector: { vector: needed(request.vector, 'a vector'), targetVectors } };
    case 'near_object':
      return {
        nearObject: { id: needed(request.objectId, 'the uuid of an object').toLowerCase(), targetVectors },
      };
    case 'keyword':
      return {
        bm25: { query: needed(request.text, 'a text'), properties: keywordProperties(request, reader) },
      };
    case 'hybrid':
      return hybrid(request, reader, targetVectors);
  }
}

function hybrid(request: SearchRequest, reader: CollectionReader, targetVectors: string[] | undefined) {
  const alpha = request.alpha ?? 0.75;
  const space = reader.collection.vectors.find(({ name }) => !targetVectors || targetVectors[0] === name);
  if (alpha > 0 && !request.vector && !space?.vectorizer) {
    throw new DriverError({
      code: 'unsupported',
      message: 'Hybrid search needs a vector here: the collection has no module that turns text into one',
      hint: 'Give a vector beside the text, or use keyword search.',
    });
  }
  const query = needed(request.text, 'a text');
  const properties = keywordProperties(request, reader);
  return { hybrid: { query, alpha, vector: request.vector, properties, targetVectors } };
}

/** Without a list the server looks into every text property, guarded ones included. */
function keywordProperties(
  { guarded = [] }: SearchRequest,
  { collection }: CollectionReader,
): string[] | undefined {
  const columns = new GuardedColumns(guarded, [collection]);
  if (!columns.has(collection)) return undefined;
  const names = columns.searchable(collection);
  if (names.length === 0) throw maskedUse(`every text property of ${collection.name} is masked`);
  return names;
}

function assertVectorsFree(request: SearchRequest, reader: CollectionReader): void {
  if (request.mode === 'keyword') return;
  const { collection } = reader;
  const columns = new GuardedColumns(request.guarded ?? [], [collection]);
  if (columns.hidesVectors(collection, targetOf(request, reader)))
    throw maskedUse(`a search by vectors of ${collection.name}`);
}

/** With several vectors the server wants to be told which; with one it is that one. */
function targetOf(request: SearchRequest, reader: CollectionReader): string[] | undefined {
  const names = reader.collection.vectors.flatMap(({ name }) => (name === null ? [] : [name]));
  if (request.targetVector !== undefined) {
    if (names.includes(request.targetVector)) return [request.targetVector];
    throw new DriverError({
      code: 'invalid_argument',
      message: `${reader.collection.name} has no vector "${request.targetVector}"`,
      hint: names.length > 0 ? `Its vectors are ${names.join(', ')}.` : 'It has one vector without a name.',
    });
  }
  if (names.length > 1 && request.mode !== 'keyword') {
    throw new DriverError({
      code: 'invalid_argument',
      message: `${reader.collection.name} has several vectors`,
      hint: `Name one as target vector: ${names.join(', ')}.`,
    });
  }
  return names.length === 1 && request.mode !== 'keyword' ? names : undefined;
}

function needed<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    throw new DriverError({ code: 'invalid_argument', message: `This search needs ${what}` });
  }
  return value;
}

/** The server sends scores as text, and counts in float32. */
function numeric(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : float32ToNumber(Math.fround(Number(value)));
}
