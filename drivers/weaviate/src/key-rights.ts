import { DriverError, type Endpoint, type Json, type Outbound } from '@trestle/driver-kit';
import type { DocumentNode } from 'graphql';
import type { StoredKeys } from './client.ts';
import { isConnectPath } from './connect-line.ts';
import { type EndpointSetting, endpointSettings } from './endpoint-settings.ts';
import { collectionName } from './loss.ts';
import { keyUseOf } from './query-key-use.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';
import { member } from './strict-json.ts';

/** A collection whose modules a request may call, or the definition that a request would give it. */
interface Definition {
  name: string;
  definition: Json;
}

/**
 * Whether a request that calls modules of these collections may carry the keys of model providers. Throws if a stored
 * key could go to an address that the user has not approved. The request must then not be sent at all: some modules
 * pass the API key of Weaviate on, and every request carries that one.
 */
export function mayCarryKeys(keys: StoredKeys, used: Definition[], outbound: Outbound = []): boolean {
  const hasProviderKeys = keys.providers.length > 0;
  if (outbound === 'user') return hasProviderKeys;
  for (const { name, definition } of used) {
    const open = endpointSettings(definition)
      .filter(({ module }) => hasProviderKeys || (keys.hasApiKey && passesApiKeyOn(module)))
      .filter((one) => !outbound.some((approved) => isSame(approved, name, one)));
    if (open.length > 0) throw unapproved(name, open, keys);
  }
  return hasProviderKeys;
}

/** Throws if a collection with this definition could send a stored key to an address that the user has not approved. */
export function assertEndpoints(
  keys: StoredKeys,
  definition: Definition,
  outbound: Outbound | undefined,
): void {
  mayCarryKeys(keys, [definition], outbound);
}

/** Throws if the query itself names an address, or if it could lead a stored key anywhere but to a provider. */
export async function mayQueryCarryKeys(
  keys: StoredKeys,
  { document, variables }: { document: DocumentNode; variables?: Json },
  { outbound, collections }: { outbound: Outbound | undefined; collections(): Promise<Collection[]> },
): Promise<boolean> {
  if (outbound === 'user') return keys.providers.length > 0;
  const { collections: named, doubt } = keyUseOf(document, variables);
  if (named !== 'any' && named.size === 0) return false;
  if (keys.providers.length === 0 && !keys.hasApiKey) return false;
  if (doubt !== undefined && keys.providers.length > 0) throw doubtful(doubt);
  const all = await collections();
  return mayCarryKeys(keys, doubt === undefined ? known(named, all) : all, outbound);
}

/** The same for a request line. A line that cannot make the server call a model provider carries no keys. */
export async function mayLineCarryKeys(
  keys: StoredKeys,
  line: RestLine,
  { outbound, collections }: { outbound: Outbound | undefined; collections(): Promise<Collection[]> },
): Promise<boolean> {
  if (isConnectPath(line.path)) {
    // A search over Connect may call the modules of its collection.
    if (outbound === 'user') return keys.providers.length > 0;
    throw unknownRoute(line);
  }
  if (line.effect === 'read') return false;
  if (outbound !== 'user' && !knownRoutes.has(line.segments[0] ?? '')) throw unknownRoute(line);
  if (keys.providers.length === 0 && !keys.hasApiKey) return false;
  if (!storesObjects(line)) {
    assertEndpoints(keys, definitionIn(line), outbound);
    return false;
  }
  if (outbound === 'user') return keys.providers.length > 0;
  return mayCarryKeys(keys, known(collectionsIn(line), await collections()), outbound);
}

/**
 * Below these routes, the body of a request is not a query. `graphql/batch`, `grpc-web` and `mcp` take queries that may
 * name an address.
 */
const knownRoutes = new Set(
  'schema objects batch aliases backups classifications nodes cluster replication authz users tokenize'.split(
    ' ',
  ),
);

function storesObjects({ method, segments: [root, second, ...deeper] }: RestLine): boolean {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return false;
  return (root === 'objects' && deeper.length < 2) || (root === 'batch' && second === 'objects');
}

function collectionsIn({ segments, body }: RestLine): Set<string> | 'any' {
  const listed = member(body?.value, 'objects');
  const objects = segments[0] === 'batch' ? listed : [body?.value];
  const classes = Array.isArray(objects) ? objects.map((one) => member(one, 'class')) : [undefined];
  const inPath = segments[0] === 'objects' && segments.length === 3 ? segments.slice(1, 2) : [];
  const inBody = classes.filter((name) => typeof name === 'string');
  const isWhole = inBody.length === classes.length || inPath.length > 0;
  return isWhole ? new Set([...inPath, ...inBody]) : 'any';
}

function definitionIn({ segments, body }: RestLine): Definition {
  const value = body?.value ?? null;
  const name = String(member(value, 'class') ?? (segments[0] === 'schema' ? segments[1] : undefined) ?? '');
  const isProperty = segments[0] === 'schema' && segments[2] === 'properties';
  return { name: collectionName(name), definition: isProperty ? { properties: [value] } : value };
}

/** A name that is no collection may be an alias of any of them. */
function known(names: Set<string> | 'any', all: Collection[]): Collection[] {
  const wanted = names === 'any' ? [] : [...names].map(collectionName);
  const found = all.filter(({ name }) => wanted.includes(name));
  return names === 'any' || found.length < new Set(wanted).size ? all : found;
}

function isSame(approved: Endpoint, table: string, { setting, value }: EndpointSetting): boolean {
  return approved.table === table && approved.setting === setting && approved.value === value;
}

/** Modules that authenticate with keys of their own. Any other may pass on the API key of Weaviate. */
const withOwnKeys = new Set(
  [
    'openai cohere mistral anthropic voyageai jinaai xai deepseek contextualai twelvelabs friendliai nvidia',
    'digitalocean anyscale google palm aws databricks huggingface octoai morph ollama transformers contextionary',
    'clip bind gpt4all model2vec centroid',
  ]
    .join(' ')
    .split(' '),
);

/** `text2vec-weaviate` sends the API key of the connection to its `baseURL`. Seen on 1.27 and 1.39. */
function passesApiKeyOn(module: string): boolean {
  return !withOwnKeys.has(module.split('-').at(-1) ?? '');
}

function unapproved(table: string, open: EndpointSetting[], keys: StoredKeys): DriverError {
  // The app accepts no more in one question.
  const endpoints = open.slice(0, 50).map(({ setting, value }) => ({ table, setting, value }));
  const words = open.map(({ setting, value }) => `${setting} is ${value}`).join('; ');
  const ownKey = keys.hasApiKey && open.some(({ module }) => passesApiKeyOn(module));
  return new DriverError({
    code: 'endpoint_unapproved',
    message: `${table} may send a stored key to an address that the user has not approved: ${words}. Nothing was sent`,
    hint: 'Ask the user to approve the address in Trestle, or to do it in the window.',
    endpoints: { endpoints, keys: [...keys.providers, ...(ownKey ? ['Authorization'] : [])] },
  });
}

function unknownRoute({ method, path }: RestLine): DriverError {
  return new DriverError({
    code: 'refused',
    message: `${method} ${path} may carry a query that chooses where the server sends its request, which only the user may do`,
    hint: "Send one GraphQL query at a time, such as { Get { … } }. Or ask the user to run the request in Trestle's editor.",
  });
}

function doubtful(part: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `The query calls a model provider, and its part "${part}" is not known to be harmless, so the stored keys do not go with it`,
    hint: "Write plain values into the query, or use vector_search. Or ask the user to run the query in Trestle's editor.",
  });
}
