import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type AggregateReply,
  type AggregateReply_Single,
  AggregateReplySchema,
  type AggregateRequest,
  AggregateRequestSchema,
  connectPath,
  create,
  fromBinary,
  type GroupByResult,
  type MetadataRequest,
  MetadataRequestSchema,
  type Properties,
  type PropertiesRequest,
  type PropertiesResult,
  type SearchReply,
  SearchReplySchema,
  type SearchRequest,
  SearchRequestSchema,
  type SearchResult,
  toBinary,
  type Value,
} from '@trestle/weaviate-connect';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { convert } from '../../drivers/weaviate/src/graphql-text/convert/convert.ts';
import { type Translation, translate } from '../../drivers/weaviate/src/graphql-text/translate.ts';
import { vectorOf } from '../../drivers/weaviate/src/requests/connect/read-values.ts';
import { readCollections } from '../../drivers/weaviate/src/schema.ts';
import { translated } from '../../drivers/weaviate/src/testing/graphql-queries.ts';
import { startInference } from '../../scripts/weaviate/inference.ts';
import { freePorts } from '../../scripts/weaviate/ports.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { makeWorld } from './graphql-world.ts';

const run = promisify(execFile);

/** `install`, which downloads both client libraries, or a folder that has them from an earlier run. */
const libraries = process.env.TRESTLE_CLIENT_LIBRARIES;
const server = inject('weaviateServers').find(({ version }) => version === newestWeaviate);
const key = 'converted-code-key';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** One line that a program prints: what the server answers, and how to read the arguments of the line. */
interface Line {
  value: Json;
  read(given: Json[]): Json;
}

type Ran = { printed: Json[][]; error?: undefined } | { error: string };

describe.skipIf(!libraries || !server)('converted queries, run by the client libraries', () => {
  let folder: string;
  let inference: Awaited<ReturnType<typeof startInference>>;
  let running: WeaviateServer;
  const ran = new Map<string, Ran[]>();
  const expected: Line[][] = [];

  beforeAll(async () => {
    folder = libraries === 'install' ? await mkdtemp(join(tmpdir(), 'trestle-clients-')) : libraries!;
    if (!existsSync(join(folder, 'python'))) await install(folder);
    inference = await startInference();
    // The client libraries use gRPC. Weaviate opens its port to the network, so the server gets a key first.
    const open = { GRPC_CERT_FILE: '', GRPC_KEY_FILE: '', GRPC_PORT: String(await freePorts(1)) };
    const modules = { ENABLE_MODULES: 'text2vec-transformers,generative-dummy,reranker-dummy' };
    running = await startWeaviate({
      binary: server!.binary,
      inferenceUrl: inference.url,
      environment: modules,
    });
    await makeWorld(running.port);
    const environment = { ...modules, ...open, DISABLE_GRAPHQL: 'true' };
    await running.restart({ environment, apiKey: key });
    const collections = await readCollections(
      { json: async () => JSON.parse(String(await send(running.port, '/v1/schema'))) } as never,
      AbortSignal.timeout(60_000),
    );
    const translations = translated.map(({ query, variables }) =>
      translate({ document: parse(query), variables: variables as never }, collections),
    );
    const place = { host: '127.0.0.1', port: running.port, secure: false, hasKey: true, headers: [] };
    const codes = translations.map((one) => convert(one, place));
    const textsOf = (label: string) =>
      codes.map((all) => all.find((one) => one.label === label)!.text.replaceAll('50051', open.GRPC_PORT));
    for (const one of translations) expected.push(await answersOf(one, running.port));
    ran.set('Python', await runPython(folder, textsOf('Python')));
    ran.set('TypeScript', await runTypescript(folder, textsOf('TypeScript')));
  }, 600_000);

  afterAll(async () => {
    await running?.stop();
    await inference?.close();
    if (libraries === 'install') await rm(folder, { recursive: true, force: true });
  });

  const all = ['Python', 'TypeScript'].flatMap((language) =>
    translated.map(({ query }, at) => [language, query, at] as const),
  );
  test.each(all)('%s: %s', (language, _query, at) => {
    const one = ran.get(language)![at]!;
    const lines = expected[at]!;
    if (one.error !== undefined) throw new Error(one.error);
    expect(one.printed.map((given, line) => lines[line]?.read(given))).toEqual(
      lines.map(({ value }) => value),
    );
  });
});

/** What the server answers to the requests of the translation, with the uuid of each row. */
async function answersOf({ fields }: Translation, port: number): Promise<Line[]> {
  const found: Line[] = [];
  const search = async (request: SearchRequest): Promise<SearchReply> => {
    const copy = fromBinary(SearchRequestSchema, toBinary(SearchRequestSchema, request));
    withUuids(copy);
    const body = toBinary(SearchRequestSchema, copy);
    return fromBinary(SearchReplySchema, await send(port, connectPath('Search'), body));
  };
  for (const { plan } of fields) {
    if (plan.method === 'Aggregate') {
      const body = toBinary(AggregateRequestSchema, plan.request);
      const reply = fromBinary(AggregateReplySchema, await send(port, connectPath('Aggregate'), body));
      found.push(...aggregatesOf(reply, plan.request));
      continue;
    }
    const reply = await search(plan.request);
    if (plan.request.groupBy) {
      found.push(...reply.groupByResults.map(groupOf));
      continue;
    }
    found.push(...reply.results.map((one) => rowOf(one, plan.request)));
    if (plan.request.generative?.grouped) {
      const text = reply.generativeGroupedResults?.values[0]?.result ?? null;
      found.push({ value: [text], read: (given) => given });
    }
    for (const request of plan.further(reply.results.map(({ metadata }) => metadata!.id)))
      found.push(...(await search(request)).results.map((one) => rowOf(one, request)));
  }
  return found;
}

/** The libraries bring the uuid of each object and of each referenced object. */
function withUuids(request: {
  metadata?: MetadataRequest | undefined;
  properties?: PropertiesRequest | undefined;
}): void {
  request.metadata ??= create(MetadataRequestSchema);
  request.metadata.uuid = true;
  for (const one of request.properties?.refProperties ?? []) withUuids(one);
}

function groupOf({ name, numberOfObjects, objects }: GroupByResult): Line {
  const ids = (list: Json) => (list as { uuid: string }[]).map(({ uuid }) => uuid);
  return {
    value: [name, Number(numberOfObjects), objects.map(({ metadata }) => metadata!.id)],
    read: ([name = null, count = null, list = []]) => [name, count, ids(list)],
  };
}

function rowOf({ properties, metadata, generative }: SearchResult, request: SearchRequest): Line {
  const facts = metadata!;
  const vectors: { [name: string]: Json } = {};
  if (facts.vectorBytes.length > 0) vectors.default = floatsOf(facts);
  for (const one of facts.vectors) vectors[one.name] = floatsOf(one);
  const asked = request.metadata!;
  const row: { [part: string]: Json } = {
    uuid: facts.id,
    properties: propertiesOf(properties?.nonRefProps),
    ...((request.properties?.refProperties.length ?? 0) > 0 && { references: referencesOf(properties) }),
    ...((asked.vector || asked.vectors.length > 0) && { vectors }),
    ...(factNames.some((name) => asked[name]) && {
      metadata: {
        ...(asked.distance && { distance: facts.distance }),
        ...(asked.certainty && { certainty: facts.certainty }),
        ...(asked.score && { score: facts.score }),
        ...(asked.creationTimeUnix && { creationTime: Number(facts.creationTimeUnix) }),
        ...(asked.lastUpdateTimeUnix && { updateTime: Number(facts.lastUpdateTimeUnix) }),
      },
    }),
    ...(request.generative?.single && { prompt: generative?.values[0]?.result ?? null }),
  };
  const parts = Object.keys(row);
  return {
    value: whole(row),
    read: (given) =>
      whole(
        Object.fromEntries(given.map((one, at) => [parts[at] ?? `part ${at}`, readPart(one, parts[at])])),
      ),
  };
}

const factNames = ['distance', 'certainty', 'score', 'creationTimeUnix', 'lastUpdateTimeUnix'] as const;

/** The libraries use other names, and bring the facts that were not requested as well. */
function readPart(given: Json, part: string | undefined): Json {
  if (part === 'metadata') {
    const { creation_time, last_update_time, ...facts } = given as { [name: string]: Json };
    const all = { creationTime: creation_time ?? null, updateTime: last_update_time ?? null, ...facts };
    const names = ['distance', 'certainty', 'score', 'creationTime', 'updateTime'];
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  }
  if (part === 'references') {
    return Object.fromEntries(
      Object.entries(given as { [name: string]: { objects: { [name: string]: Json }[] } }).map(
        ([name, { objects }]) => [
          name,
          objects.map(({ uuid = null, properties = null, references = null }) => ({
            uuid,
            properties: readProperties(properties),
            references: references && readPart(references, 'references'),
          })),
        ],
      ),
    );
  }
  return part === 'properties' ? readProperties(given) : given;
}

/** The members of a phone number in Python, and those that only one of the libraries has. */
function readProperties(given: Json): Json {
  if (Array.isArray(given)) return given.map(readProperties);
  if (typeof given !== 'object' || given === null) return given;
  if (!('internationalFormatted' in given) && !('international_formatted' in given))
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, readProperties(one)]));
  return {
    countryCode: given.country_code ?? given.countryCode ?? null,
    national: given.national ?? null,
    input: given.number ?? given.input ?? null,
    internationalFormatted: given.international_formatted ?? given.internationalFormatted ?? null,
    valid: given.valid ?? null,
  };
}

function floatsOf({ vectorBytes, type }: { vectorBytes: Uint8Array; type?: number }): Json {
  const vector = vectorOf(Buffer.from(vectorBytes), type ?? 0);
  return vector instanceof Float32Array ? Array.from(vector) : vector;
}

function referencesOf(properties: PropertiesResult | undefined): Json {
  return Object.fromEntries(
    (properties?.refProps ?? []).map(({ propName, properties }) => [
      propName,
      properties.map((one) => ({
        uuid: one.metadata!.id,
        properties: propertiesOf(one.nonRefProps),
        references: referencesOf(one),
      })),
    ]),
  );
}

/** Without the nulls and with dates as numbers: the libraries differ in both. */
function propertiesOf(properties: Properties | undefined): Json {
  const fields = Object.entries(properties?.fields ?? {});
  return Object.fromEntries(fields.map(([name, value]) => [name, plainValueOf(value)]));
}

function plainValueOf({ kind }: Value): Json {
  if (kind.case === 'dateValue') return Date.parse(kind.value);
  if (kind.case === 'objectValue') return propertiesOf(kind.value);
  if (kind.case === 'listValue') {
    const { kind: list } = kind.value;
    if (list.case === 'dateValues') return list.value.values.map((one) => Date.parse(one));
    if (list.case === 'objectValues') return list.value.values.map(propertiesOf);
    if (list.case === 'intValues') return Array.from(new BigInt64Array(copyOf(list.value.values)), Number);
    if (list.case === 'numberValues') return Array.from(new Float64Array(copyOf(list.value.values)));
    return (list.value?.values ?? []) as Json;
  }
  if (kind.case === 'phoneValue') {
    const { countryCode, national, input, internationalFormatted, valid } = kind.value;
    return {
      countryCode: Number(countryCode),
      national: Number(national),
      input,
      internationalFormatted,
      valid,
    };
  }
  if (kind.case === 'geoValue') return { latitude: kind.value.latitude, longitude: kind.value.longitude };
  if (kind.case === 'nullValue' || kind.case === undefined) return null;
  return typeof kind.value === 'bigint' ? Number(kind.value) : kind.value;
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function aggregatesOf({ result }: AggregateReply, request: AggregateRequest): Line[] {
  const rows =
    result.case === 'groupedResults'
      ? result.value.groups.map((one) => ({ ...one, group: [one.groupedBy?.value.value as Json] }))
      : [{ ...(result.value as AggregateReply_Single), group: [] }];
  return rows.map(({ group, objectsCount, aggregations }) => ({
    value: whole([
      ...group,
      request.objectsCount ? Number(objectsCount) : null,
      Object.fromEntries(
        (aggregations?.aggregations ?? []).map(({ property, aggregation }) => [
          property,
          metricsOf(aggregation.value ?? {}, request, property),
        ]),
      ),
    ]),
    read: (given) => {
      const metrics = Object.entries(given.at(-1) as { [name: string]: { [name: string]: Json } });
      const count = request.objectsCount ? given.at(-2)! : null;
      const read = metrics.map(([property, one]) => [property, metricsOf(one, request, property)]);
      return whole([...given.slice(0, -2), count, Object.fromEntries(read)]);
    },
  }));
}

/** The numbers of a property that the query selects, under the names of the message. */
function metricsOf(given: object, { aggregations }: AggregateRequest, property: string): Json {
  const asked = aggregations.find((one) => one.property === property)!.aggregation;
  // The library for TypeScript has no aggregate of a reference.
  if (asked.case === 'reference') return null;
  const names = Object.entries(asked.value ?? {}).filter(
    ([name, value]) => value === true && name !== 'type',
  );
  const all = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_$/, '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
  return Object.fromEntries(
    names.map(([name]) => [
      name,
      plainOf(name === 'topOccurences' ? (all[name] ?? all.topOccurrences) : all[name]),
    ]),
  );
}

function plainOf(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null && 'items' in value) return plainOf(value.items);
  if (Array.isArray(value)) return value.map((one) => [one.value, Number(one.occurs ?? one.count)]);
  return value as Json;
}

async function send(port: number, path: string, body?: Uint8Array): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/proto',
      'connect-protocol-version': '1',
    },
    ...(body && { method: 'POST', body: Buffer.from(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

const environment = { ...process.env, WEAVIATE_API_KEY: key };

async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', join(folder, 'python')]);
  await run(join(folder, 'python', 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    'weaviate-client==4.*',
  ]);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'weaviate-client@3'], {
    cwd: folder,
  });
}

async function runPython(folder: string, codes: string[]): Promise<Ran[]> {
  const [given, result] = [join(folder, 'codes.json'), join(folder, 'python.json')];
  await writeFile(given, JSON.stringify(codes));
  const runner = join(import.meta.dirname, 'client-libraries', 'run-converted.py');
  await run(join(folder, 'python', 'bin', 'python'), [runner, given, result], {
    env: environment,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(await readFile(result, 'utf8'));
}

async function runTypescript(folder: string, codes: string[]): Promise<Ran[]> {
  const into = join(folder, 'converted');
  await mkdir(into, { recursive: true });
  const files = codes.map((_, at) => join(into, `query-${at}.mts`));
  for (const [at, code] of codes.entries()) await writeFile(files[at]!, code);
  const runner = join(into, 'run.mts');
  await copyFile(join(import.meta.dirname, 'client-libraries', 'run-converted.mts'), runner);
  await assertTypes(folder);
  const result = join(folder, 'typescript.json');
  await run(process.execPath, [runner, result, ...files], { env: environment, maxBuffer: 1 << 26 });
  return JSON.parse(await readFile(result, 'utf8'));
}

/** Compiles the programs against the types of the library. */
async function assertTypes(folder: string): Promise<void> {
  const root = join(import.meta.dirname, '..', '..', 'node_modules');
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2024', module: 'nodenext' },
    ...{ types: ['node'], typeRoots: [join(root, '@types')] },
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['converted/query-*.mts'] }),
  );
  await run(join(root, '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

/** Rounded numbers, and no nulls or empty members. */
function whole(value: unknown): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, whole(one)] as const)
      .filter(([, one]) => one !== null && !(typeof one === 'object' && Object.keys(one).length === 0)),
  );
}
