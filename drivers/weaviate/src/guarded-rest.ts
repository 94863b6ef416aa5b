import { type Json, maskedUse } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import { type GuardedColumns, movesObject } from './guarded-columns.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';
import { guessRefused } from './secret-cells.ts';
import { foldCase, member } from './strict-json.ts';

/** Refuses a request whose answer could reveal a guarded value that `maskAnswer` does not mask. */
export function assertPlainRequest(line: RestLine, columns: GuardedColumns): void {
  const { method, path, query, body } = line;
  const known = routes.find((one) => one.methods.includes(method) && one.route.test(path));
  if (!known) throw maskedUse(`the answer of ${method} ${path} cannot be checked`);
  if (known.objects) {
    assertParameters(query, columns);
    assertIdUnused(line, columns);
    assertNoGuess(line, columns);
  }
  if (known.filtered) {
    assertFilter(body?.value ?? null, columns);
    assertShortOutput(body?.value ?? null, columns);
  }
}

/** Whether the request chooses objects by a filter on one of these columns. */
export function choosesBy({ method, path, body }: RestLine, columns: GuardedColumns): boolean {
  const isFiltered = routes.some(
    (one) => one.filtered && one.methods.includes(method) && one.route.test(path),
  );
  return isFiltered && filteredName(body?.value ?? null, columns) !== undefined;
}

/** Replaces guarded values in the objects of an answer, at any depth. */
export function maskAnswer(answer: Json, columns: GuardedColumns): Json {
  if (Array.isArray(answer)) return answer.map((inner) => maskAnswer(inner, columns));
  if (typeof answer !== 'object' || answer === null) return answer;
  const { properties } = answer;
  const hasProperties = isRecord(properties);
  // The answer to a PUT of an object without properties leaves `properties` out.
  const isObject = hasProperties || (typeof answer.class === 'string' && answer.id !== undefined);
  const entries = Object.entries(answer).map(([key, value]): [string, Json] => {
    if (isObject && isHidden(String(answer.class ?? ''), key, columns)) return [key, hide(value)];
    if (key !== 'properties' || !hasProperties) return [key, maskAnswer(value, columns)];
    return [key, maskProperties(String(answer.class ?? ''), properties, columns)];
  });
  return Object.fromEntries(entries);
}

const mark = '•••';
const segment = '[^/]+';
const reading = ['GET', 'HEAD', 'OPTIONS'];

/** `objects`: the parameters and the uuid in the path are checked. `filtered`: a filter in the body is checked. */
const routes: { methods: string[]; route: RegExp; objects?: boolean; filtered?: boolean }[] = [
  { methods: reading, route: /^\/v1\/(meta|nodes|schema|aliases|\.well-known)(\/.*)?$/ },
  { methods: reading, route: new RegExp(`^/v1/objects(/${segment}){0,2}$`), objects: true },
  { methods: ['POST'], route: /^\/v1\/objects$/, objects: true },
  {
    methods: ['PUT', 'PATCH', 'DELETE'],
    route: new RegExp(`^/v1/objects/${segment}(/${segment})?$`),
    objects: true,
  },
  {
    methods: ['POST', 'PUT', 'DELETE'],
    route: new RegExp(`^/v1/objects/${segment}/${segment}/references/${segment}$`),
    objects: true,
  },
  { methods: ['POST'], route: /^\/v1\/batch\/(objects|references)$/, objects: true },
  { methods: ['DELETE'], route: /^\/v1\/batch\/objects$/, objects: true, filtered: true },
  { methods: ['POST'], route: /^\/v1\/schema$/ },
  {
    methods: ['POST', 'PUT', 'DELETE'],
    route: new RegExp(`^/v1/schema/${segment}(/(properties|tenants))?$`),
  },
];

const plainParameters = new Set([
  'class',
  'limit',
  'offset',
  'after',
  'order',
  'tenant',
  'consistency_level',
  'node_name',
]);

function assertParameters(parameters: Record<string, string>, columns: GuardedColumns): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (plainParameters.has(name)) continue;
    const parts = value.split(',');
    if (name === 'include' && parts.every((part) => part === 'vector' || part === '')) continue;
    if (name === 'sort' && parts.every((part) => columns.onPath(undefined, [part]) === undefined)) continue;
    throw maskedUse(`the parameter ${name}=${value}`);
  }
}

/** A caller could find a uuid by bisection with `after`. A path with a uuid reveals whether the uuid exists. */
function assertIdUnused(
  { segments: [root, ...named], path, query }: RestLine,
  columns: GuardedColumns,
): void {
  if (root !== 'objects' || (named.length === 0 && query.after === undefined)) return;
  // If the path has a uuid but no collection, the server ignores `?class=` and looks in every collection.
  const listed = named.length === 0 ? query.class : undefined;
  const collection = columns.find((named.length > 1 ? named[0] : listed) ?? '');
  if (collection ? columns.hidesIds(collection) : columns.isNameAnywhere('uuid'))
    throw maskedUse(`${path} finds objects by their uuid`);
}

/** See `SecretCells.assertNoGuess`. A new object has no stored value, but an object of a batch may name a stored one. */
function assertNoGuess({ method, segments, body }: RestLine, columns: GuardedColumns): void {
  const isBatch = segments[0] === 'batch';
  if (!isBatch && method === 'POST') return;
  const listed = isBatch ? member(body?.value, 'objects') : [body?.value ?? null];
  for (const object of Array.isArray(listed) ? listed : []) {
    if (isBatch && member(object, 'id') === undefined) continue;
    const named = [segments.length === 3 ? segments[1] : undefined, member(object, 'class')];
    const known = named.flatMap((one) => (typeof one === 'string' ? [columns.find(one)] : []));
    const isKnown = known.length > 0 && known.every((one) => one !== undefined);
    for (const collection of isKnown ? known : columns.collections) {
      const properties = member(object, 'properties');
      for (const name of isRecord(properties) ? Object.keys(properties) : []) {
        const why = columns.whyGuessShows(collection, name);
        if (why !== undefined) throw guessRefused(name, why);
      }
      if (setsHiddenVector(object, collection, columns)) throw guessRefused('the vector', movesObject);
    }
  }
}

function setsHiddenVector(object: Json, collection: Collection, columns: GuardedColumns): boolean {
  if (member(object, 'vector') !== undefined && columns.isMember(collection, 'vector')) return true;
  const given = member(object, 'vectors');
  if (given === undefined) return false;
  const names = isRecord(given) ? Object.keys(given) : [];
  // A name that the collection does not have may mean its only vector: Weaviate 1.39 takes `default` for it.
  const areKnown = names.every((name) => collection.vectors.some((one) => one.name === name));
  return columns.isMember(collection, 'vectors', areKnown ? names : undefined);
}

function assertFilter(body: Json, columns: GuardedColumns): void {
  const name = filteredName(body, columns);
  if (name !== undefined) throw maskedUse(`it chooses objects by ${name}`);
}

function filteredName(body: Json, columns: GuardedColumns): string | undefined {
  return pathsIn(body)
    .map((path) => columns.onPath(undefined, path))
    .find((name) => name !== undefined);
}

/** With an `output` other than `minimal`, a batch delete lists the uuids of the matched objects, also in a dry run. */
function assertShortOutput(body: Json, columns: GuardedColumns): void {
  if (typeof body !== 'object' || body === null || !columns.isNameAnywhere('uuid')) return;
  const isLong = Object.entries(body).some(
    ([key, value]) => foldCase(key) === 'output' && value !== 'minimal',
  );
  if (isLong) throw maskedUse('its answer lists uuids');
}

function pathsIn(value: Json): string[][] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    foldCase(key) === 'path' ? [[inner].flat().map(String)] : pathsIn(inner),
  );
}

/**
 * If a collection indexes its times, Weaviate 1.27 adds them to the properties in the answer to a write, but only if the
 * write has changed a value. So they are left out: their place alone would show whether a guess is right.
 */
const writeTimes = new Set(['_creationTimeUnix', '_lastUpdateTimeUnix']);

/** If the collection is unknown, every property is hidden. */
function maskProperties(
  name: string,
  properties: { [name: string]: Json },
  columns: GuardedColumns,
): { [name: string]: Json } {
  const collection = columns.find(name);
  const hidesTimes = !collection || columns.hidesChangeTime(collection);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]): [string, Json][] => {
      if (hidesTimes && writeTimes.has(key)) return [];
      const hidden = !collection || columns.isName(collection, key);
      return [[key, hidden ? hide(value) : value]];
    }),
  );
}

/** The uuid and the vectors are beside the properties, not among them. */
function isHidden(name: string, key: string, columns: GuardedColumns): boolean {
  const collection = columns.find(name);
  return collection
    ? columns.isMember(collection, key)
    : ['id', 'vector', 'vectors', 'lastUpdateTimeUnix'].includes(key);
}

function hide(value: Json): Json {
  return value === null ? null : mark;
}
