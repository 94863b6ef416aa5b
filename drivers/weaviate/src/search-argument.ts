import { DriverError, maskedUse, type SearchRequest } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import { GuardedColumns } from './guarded-columns.ts';
import type { Literal } from './literal.ts';

/** The search as an argument of a GraphQL `Get`. */
export function searchArgument(
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

/** With several vectors the server wants to be told which; with one it is that one. */
export function targetOf(request: SearchRequest, reader: CollectionReader): string[] | undefined {
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
