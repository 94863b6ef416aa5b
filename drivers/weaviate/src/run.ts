import {
  type Classification,
  DriverError,
  type Effect,
  exceeds,
  type Json,
  type RunOutcome,
  type RunRequest,
  type RunResult,
} from '@trestle/driver-kit';
import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, parse } from 'graphql';
import type { WeaviateClient } from './client.ts';
import { failureOfAnswer } from './failure.ts';
import { resultsOf } from './graphql-result.ts';
import type { GuardedColumns } from './guarded-columns.ts';
import { assertPlainQuery } from './guarded-query.ts';
import { assertPlainRequest, maskAnswer } from './guarded-rest.ts';
import { lossOf } from './loss.ts';
import { type RestLine, readRestLine } from './rest-line.ts';

type Statement = { kind: 'graphql'; document: DocumentNode; text: string } | { kind: 'rest'; line: RestLine };

export async function classify(
  client: WeaviateClient,
  text: string,
  signal: AbortSignal,
): Promise<Classification> {
  const statement = readStatement(text);
  if (statement.kind === 'graphql') return { effect: 'read', summary: 'Run a GraphQL query' };
  const { line } = statement;
  const loses = await lossOf(client, line, signal);
  return { effect: line.effect, summary: summaryOf(line), ...(loses && { loses }) };
}

export async function run(
  client: WeaviateClient,
  request: RunRequest,
  signal: AbortSignal,
  /** Absent where nothing is guarded. */
  guarded?: GuardedColumns,
): Promise<RunOutcome> {
  const statement = readStatement(request.text);
  if (statement.kind === 'graphql') {
    if (guarded) assertPlainQuery(statement.document, guarded);
    return runGraphql(client, statement, { limit: request.limit, guarded, signal });
  }
  const { line } = statement;
  if (exceeds(line.effect, request.ceiling)) {
    throw new DriverError({
      code: 'above_ceiling',
      needs: line.effect,
      message: `${summaryOf(line)} needs the right to ${line.effect}, and only ${request.ceiling} is allowed here`,
    });
  }
  if (guarded) assertPlainRequest(line, guarded);
  return runRest(client, line, { ceiling: request.ceiling, guarded, signal });
}

function readStatement(text: string): Statement {
  if (text.trim() === '')
    throw new DriverError({ code: 'invalid_argument', message: 'There is nothing to run' });
  const line = readRestLine(text);
  if (line) return { kind: 'rest', line };
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const [place] = error.locations ?? [];
    throw new DriverError({
      code: 'query_failed',
      message: `${error.message}${place ? ` (line ${place.line}, column ${place.column})` : ''}`,
      hint: 'Write a GraphQL query such as { Get { … } }, or a request line such as GET /schema.',
    });
  }
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1) {
    throw new DriverError({
      code: 'refused',
      message: operations.length === 0 ? 'The text holds no query' : 'Run one query at a time',
    });
  }
  if (operations[0]?.operation !== OperationTypeNode.QUERY) {
    throw new DriverError({
      code: 'refused',
      message: "Weaviate's GraphQL has no mutations",
      hint: 'Write through the grid, or with a request line such as POST /objects.',
    });
  }
  return { kind: 'graphql', document, text };
}

async function runGraphql(
  client: WeaviateClient,
  { document, text }: { document: DocumentNode; text: string },
  { limit, guarded, signal }: { limit: number; guarded: GuardedColumns | undefined; signal: AbortSignal },
): Promise<RunOutcome> {
  const { data, errors } = await client.graphql(text, signal);
  return {
    effect: 'read',
    results: data ? resultsOf(document, data, limit, guarded) : [],
    messages: errors.map(({ message, path }) => ({ level: 'error', text: message, ...(path && { path }) })),
  };
}

async function runRest(
  client: WeaviateClient,
  line: RestLine,
  { ceiling, guarded, signal }: { ceiling: Effect; guarded: GuardedColumns | undefined; signal: AbortSignal },
): Promise<RunOutcome> {
  const answer = await client.send({ ...line, ceiling, signal });
  if (answer.status < 200 || answer.status > 299) throw failureOfAnswer(answer, line.path);
  const result: RunResult = {
    kind: 'document',
    title: `HTTP ${answer.status}`,
    document: guarded ? maskAnswer(bodyOf(answer.body), guarded) : bodyOf(answer.body),
  };
  return { effect: line.effect, results: [result], messages: [] };
}

function bodyOf(body: string): Json {
  if (body === '') return null;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

/** What a confirmation shows: the grave ones in words. */
function summaryOf({ method, path }: RestLine): string {
  const route = path.split('?')[0] ?? '';
  const collection = /^\/v1\/schema\/([^/]+)$/.exec(route)?.[1];
  if (method === 'DELETE' && collection) return `Delete the collection ${collection} with all its objects`;
  const tenants = /^\/v1\/schema\/([^/]+)\/tenants$/.exec(route)?.[1];
  if (method === 'DELETE' && tenants) return `Delete tenants of ${tenants} with all their objects`;
  if (method === 'DELETE' && route === '/v1/batch/objects')
    return 'Delete every object that matches a filter';
  if (method === 'DELETE' && /^\/v1\/objects\/[^/]+$/.test(route))
    return 'Delete a uuid from every collection';
  return `${method} ${route}`;
}
