import { DriverError, type Json, suggestName } from '@trestle/driver-kit';
import { isRecord, namedRecordsOf, wrongAnswer } from './answer-shape.ts';
import type { WeaviateClient } from './client.ts';

export type Tokenization =
  | 'word'
  | 'lowercase'
  | 'whitespace'
  | 'field'
  | 'trigram'
  | 'gse'
  | 'gse_ch'
  | 'kagome_ja'
  | 'kagome_kr';

export interface Property {
  name: string;
  /** The server's own name of the type: `text[]`, or the collections that a cross-reference points to. */
  nativeType: string;
  /** The type of one element, without the brackets. */
  elementType: ElementType;
  isArray: boolean;
  /** Collections a cross-reference points to; empty for every other type. */
  references: string[];
  tokenization: Tokenization | null;
  filterable: boolean;
  searchable: boolean;
  rangeable: boolean;
  nested: Property[];
  description: string;
}

export type ElementType =
  | 'text'
  | 'int'
  | 'number'
  | 'boolean'
  | 'date'
  | 'uuid'
  | 'geoCoordinates'
  | 'phoneNumber'
  | 'blob'
  | 'blobHash'
  | 'object'
  | 'reference'
  | 'unknown';

export interface VectorSpace {
  /** Null for the unnamed vector. */
  name: string | null;
  /** The module that makes the vectors; null if the user provides them. */
  vectorizer: string | null;
  /** The properties that the module makes vectors from. */
  sources: string[];
  /** Only for ref2vec: the collections of the referenced objects. The module averages the vectors of these objects. */
  centroidOf?: () => Collection[];
}

export interface Collection {
  name: string;
  description: string;
  properties: Property[];
  vectors: VectorSpace[];
  indexesNulls: boolean;
  indexesLengths: boolean;
  multiTenant: boolean;
  stopwords: Set<string>;
  definition: Json;
}

export async function readCollections(client: WeaviateClient, signal: AbortSignal): Promise<Collection[]> {
  const path = '/v1/schema';
  const answer = await client.json({ method: 'GET', path, ceiling: 'read', signal });
  if (!isRecord(answer)) throw wrongAnswer(path);
  const classes = namedRecordsOf(answer.classes, 'class', path);
  for (const { properties } of classes) namedRecordsOf(properties, 'name', path);
  const collections = (classes as unknown as RawClass[])
    .map(readCollection)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const collection of collections) addCentroids(collection, collections);
  return collections;
}

function addCentroids({ properties, vectors }: Collection, collections: Collection[]): void {
  const references = properties.filter(({ elementType }) => elementType === 'reference');
  for (const space of vectors) {
    if (!space.vectorizer?.startsWith('ref2vec')) continue;
    const listed = references.filter(({ name }) => space.sources.includes(name));
    // If the settings list no reference, the module uses every reference.
    const targets = (listed.length > 0 ? listed : references).flatMap((one) => one.references);
    space.centroidOf = () => collections.filter(({ name }) => targets.includes(name));
  }
}

export function findCollection(collections: Collection[], name: string): Collection {
  const found = collections.find((collection) => collection.name === name);
  if (found) return found;
  throw new DriverError({
    code: 'not_found',
    message: `There is no collection "${name}"`,
    hint: suggestName(
      name,
      collections.map((collection) => collection.name),
    ),
  });
}

interface RawProperty {
  name: string;
  dataType?: string[] | null;
  tokenization?: string | null;
  indexFilterable?: boolean | null;
  indexSearchable?: boolean | null;
  indexRangeFilters?: boolean | null;
  nestedProperties?: RawProperty[] | null;
  moduleConfig?: Record<string, { skip?: boolean } | null> | null;
  description?: string;
}

interface RawClass {
  class: string;
  description?: string;
  properties?: RawProperty[] | null;
  vectorizer?: string;
  vectorConfig?: Record<string, { vectorizer?: Record<string, unknown> }> | null;
  moduleConfig?: Record<string, unknown> | null;
  invertedIndexConfig?: {
    indexNullState?: boolean;
    indexPropertyLength?: boolean;
    stopwords?: { preset?: string; additions?: string[] | null; removals?: string[] | null } | null;
  } | null;
  multiTenancyConfig?: { enabled?: boolean } | null;
}

function readCollection(raw: RawClass): Collection {
  return {
    name: raw.class,
    description: raw.description ?? '',
    properties: (raw.properties ?? []).map(readProperty),
    vectors: readVectors(raw),
    // The server may leave out a setting that is false.
    indexesNulls: raw.invertedIndexConfig?.indexNullState === true,
    indexesLengths: raw.invertedIndexConfig?.indexPropertyLength === true,
    multiTenant: raw.multiTenancyConfig?.enabled === true,
    stopwords: readStopwords(raw),
    definition: raw as unknown as Json,
  };
}

const plainTypes = [
  'text',
  'int',
  'number',
  'boolean',
  'date',
  'uuid',
  'geoCoordinates',
  'phoneNumber',
  'blob',
  'blobHash',
  'object',
] as const;

function readProperty(raw: RawProperty): Property {
  const types = raw.dataType ?? [];
  const first = types[0] ?? '';
  const isReference = /^[A-Z]/.test(first);
  const isArray = first.endsWith('[]');
  // string and string[] are the legacy names of text and text[].
  const bare = first.replace('[]', '').replace(/^string$/, 'text');
  const elementType = isReference ? 'reference' : (plainTypes.find((type) => type === bare) ?? 'unknown');
  return {
    name: raw.name,
    nativeType: types.join(' | '),
    elementType,
    isArray,
    references: isReference ? types : [],
    tokenization: elementType === 'text' ? ((raw.tokenization as Tokenization) ?? 'word') : null,
    filterable: raw.indexFilterable !== false,
    searchable: elementType === 'text' && raw.indexSearchable !== false,
    rangeable: raw.indexRangeFilters === true,
    nested: (raw.nestedProperties ?? []).map(readProperty),
    description: raw.description ?? '',
  };
}

function readVectors(raw: RawClass): VectorSpace[] {
  const space = <Name extends string | null>(name: Name, module: string | undefined, config: unknown) => {
    const vectorizer = moduleName(module);
    return { name, vectorizer, sources: vectorizer === null ? [] : vectorSources(raw, vectorizer, config) };
  };
  const named = Object.entries(raw.vectorConfig ?? {}).map(([name, { vectorizer = {} }]) => {
    const [module] = Object.keys(vectorizer);
    return space(name, module, vectorizer[module ?? '']);
  });
  const unnamed = raw.vectorizer ? [space(null, raw.vectorizer, raw.moduleConfig?.[raw.vectorizer])] : [];
  const spaces = [...unnamed, ...named.sort((a, b) => (a.name < b.name ? -1 : 1))];
  return spaces.length > 0 ? spaces : [space(null, undefined, null)];
}

/**
 * The properties that a module's settings name: in a list under any key, or as the value of a key that ends with
 * `Field`. If they name none: every text property that the module does not skip.
 */
function vectorSources(raw: RawClass, module: string, config: unknown): string[] {
  const properties = raw.properties ?? [];
  const names = new Set(properties.map(({ name }) => name));
  const listed = Object.entries(config ?? {})
    // Any other setting may equal the name of a property by chance, for example `type: "text"`.
    .filter(([key, setting]) => Array.isArray(setting) || key.endsWith('Field'))
    .flatMap(([, setting]) => setting)
    .filter((one): one is string => typeof one === 'string' && names.has(one));
  if (listed.length > 0) return listed;
  return properties
    .filter(
      ({ dataType, moduleConfig }) =>
        /^(text|string)/.test(dataType?.[0] ?? '') && !moduleConfig?.[module]?.skip,
    )
    .map(({ name }) => name);
}

function moduleName(module: string | undefined): string | null {
  return module === undefined || module === 'none' || module === '' ? null : module;
}

/** The stopwords of the server's `en` preset. */
const english =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with';

function readStopwords(raw: RawClass): Set<string> {
  const config = raw.invertedIndexConfig?.stopwords;
  const words = new Set(config?.preset === 'none' ? [] : english.split(' '));
  for (const word of config?.additions ?? []) words.add(word.toLowerCase());
  for (const word of config?.removals ?? []) words.delete(word.toLowerCase());
  return words;
}
