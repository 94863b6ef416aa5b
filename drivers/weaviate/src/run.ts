import {
  assertBudget,
  assertCeiling,
  assertReach,
  type Classification,
  DriverError,
  type Effect,
  exceeds,
  isDriverError,
  type Json,
  type Loss,
  type MeasureRequest,
  type RequestCode,
  type RunOutcome,
  type RunRequest,
  type RunResult,
  type Written,
} from '@trestle/driver-kit';
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  OperationTypeNode,
  parse,
  Source,
  TokenKind,
} from 'graphql';
import { isRecord } from './answer-shape.ts';
import type { WeaviateAnswer, WeaviateClient } from './client.ts';
import { isConnectPath } from './connect-line.ts';
import { assertLineEnds, assertSearchEnds } from './endless-search.ts';
import { failureOfAnswer } from './failure.ts';
import { convert } from './graphql-text/convert/convert.ts';
import { translate } from './graphql-text/translate.ts';
import { GuardedColumns } from './guarded-columns.ts';
import { assertPlainQuery } from './guarded-query.ts';
import { assertPlainRequest, maskAnswer } from './guarded-rest.ts';
import { mayLineCarryKeys, mayQueryCarryKeys } from './key-rights.ts';
import { lossOf, writtenBy } from './loss.ts';
import { assertKindsGuarded } from './masked-kinds.ts';
import { collectionsIn, collectionsOf } from './named-collections.ts';
import { assertNoNewNames } from './new-names.ts';
import { failureOfConnect } from './requests/connect/failure.ts';
import type { OfferedQueries } from './requests/offered-queries.ts';
import { type RestLine, readRestLine } from './rest-line.ts';
import { type GraphqlStatement, runGraphql } from './run-graphql.ts';
import type { Collection } from './schema.ts';
import { selectionSize } from './selection-size.ts';
import { foldCase, member } from './strict-json.ts';
import { fateOfWrite } from './write-fate.ts';

type Statement = GraphqlStatement | { kind: 'rest'; line: RestLine };

export interface Server {
  client: WeaviateClient;
  queries: OfferedQueries;
  /** The collections that the server has now. */
  collections(): Promise<Collection[]>;
  changeMark(table: string): Promise<string | null>;
  signal: AbortSignal;
}

export async function classify(server: Server, text: string): Promise<Classification> {
  const statement = readStatement(text);
  const collections = await server.collections();
  if (statement.kind === 'graphql') {
    const tables = collectionsIn(statement.document, collections);
    return { effect: 'read', summary: 'Run a GraphQL query', ...(tables && { tables }) };
  }
  const { line } = statement;
  const tables = collectionsOf(line, collections);
  const { effect } = line;
  const clientEffect = lineOfClient(line).effect;
  return {
    effect,
    ...(clientEffect !== effect && { clientEffect }),
    summary: summaryOf(line),
    ...(tables && { tables }),
  };
}

export async function measure(
  server: Server,
  { text, guarded = [], maskedKinds }: MeasureRequest,
): Promise<Loss> {
  const statement = readStatement(text);
  const collections = await server.collections();
  if (statement.kind === 'graphql') return { tables: [], cascades: false, schema: '' };
  if (guarded.length > 0) assertPlainRequest(statement.line, new GuardedColumns(guarded, collections));
  const loss = await lossOf({ ...server, collections }, statement.line);
  if (maskedKinds) await assertKindsGuarded(statement.line, maskedKinds, { ...server, collections });
  return loss;
}

export async function run(server: Server, request: RunRequest): Promise<RunOutcome> {
  const { client, signal } = server;
  const statement = readStatement(request.text);
  const isGuarded = (request.guarded?.length ?? 0) > 0;
  // Reads a fresh schema: a new property may be a guarded one.
  const guarded = isGuarded ? new GuardedColumns(request.guarded!, await server.collections()) : undefined;
  if (statement.kind === 'graphql') {
    if (guarded) assertPlainQuery(statement.document, guarded);
    await assertSearchEnds(statement, server.collections);
    const { outbound } = request;
    const providerKeys = await mayQueryCarryKeys(client.keys, statement, { ...server, outbound });
    const isUser = outbound === 'user';
    return runGraphql(server, statement, { limit: request.limit, guarded, providerKeys, isUser });
  }
  const { ceiling, outbound } = request;
  const line = outbound === 'user' ? statement.line : lineOfClient(statement.line);
  if (line !== statement.line && exceeds(line.effect, ceiling)) throw connectOfClient(line);
  assertCeiling({ effect: line.effect, summary: summaryOf(line) }, ceiling);
  if (guarded) assertPlainRequest(line, guarded);
  await assertLineEnds(line, server.collections);
  if (outbound !== 'user' && line.effect !== 'read') {
    await assertNoNewNames(line, { ...server, collections: await server.collections() });
  }
  const providerKeys = await mayLineCarryKeys(client.keys, line, { ...server, outbound });
  const sending = { ceiling, guarded, signal, providerKeys };
  const isLimited = request.reach !== undefined || request.approved !== undefined;
  if (line.effect === 'read' || !isLimited) {
    return runRest(client, line, sending);
  }
  const collections = await server.collections();
  const loss = await lossOf({ ...server, collections }, line);
  // The loss is a number of matches too, so this check comes after it and before any answer.
  if (request.maskedKinds) await assertKindsGuarded(line, request.maskedKinds, { ...server, collections });
  assertReach(loss, request);
  const written = writtenBy(line, loss);
  assertBudget(written, request);
  return {
    ...(await runRest(client, line, { ...sending, written })),
    written,
  };
}

/** A client has tools for what Connect does. So its line counts as the strongest effect, whatever the method. */
function lineOfClient(line: RestLine): RestLine {
  return isConnectPath(line.path) && line.effect !== 'destroy' ? { ...line, effect: 'destroy' } : line;
}

function connectOfClient(line: RestLine): DriverError {
  return new DriverError({
    code: 'above_ceiling',
    needs: line.effect,
    message: `${summaryOf(line)}: a line for Connect counts as one that destroys, whatever it does. Search and count with the tools`,
  });
}

/** A GraphQL query as code for a program. Sends nothing but reads of the schema. */
export async function convertStatement(
  { client, collections }: Server,
  text: string,
): Promise<RequestCode[]> {
  const statement = readStatement(text);
  if (statement.kind !== 'graphql') {
    throw new DriverError({
      code: 'unsupported',
      message: 'Only a GraphQL query can be converted',
      hint: 'Put the cursor into a query such as { Get { … } }.',
    });
  }
  return convert(translate(statement, await collections()), client.place);
}

function readStatement(text: string): Statement {
  if (text.trim() === '')
    throw new DriverError({ code: 'invalid_argument', message: 'There is nothing to run' });
  const line = readRestLine(text);
  if (!line) return readGraphql(text);
  const [route, ...deeper] = line.segments;
  const carriesGraphql = line.method === 'POST' && route === 'graphql' && deeper.length === 0;
  return carriesGraphql ? readCarriedGraphql(line) : { kind: 'rest', line };
}

/** `POST /graphql` is classified and run as the query in its body. */
function readCarriedGraphql({ body }: RestLine): GraphqlStatement {
  const query = member(body?.value, 'query');
  const known = ['query', 'variables', 'operationname'];
  const keys = isRecord(body?.value) ? Object.keys(body.value) : [];
  const other = keys.find((key) => !known.includes(foldCase(key)));
  if (typeof query !== 'string' || other !== undefined) {
    throw new DriverError({
      code: 'refused',
      message:
        other === undefined
          ? 'The body has no query'
          : `POST /graphql does not take the key ${JSON.stringify(other)}`,
      hint: 'POST /graphql takes {"query": "{ Get { … } }"}, with optional variables.',
    });
  }
  const variables = member(body?.value, 'variables');
  return { ...readGraphql(query), ...(variables !== undefined && { variables }) };
}

/** A query with more fields could keep the driver busy for seconds. */
const mostFields = 100_000;

/** The parser recurses once per level, so a deeper query could overflow the stack. */
const deepest = 200;

/** Uses the parser's own lexer, so that this function and the parser agree on where a string or a comment ends. */
function nestingOf(text: string): number {
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  let most = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      const { kind } = lexer.token;
      if (opening.has(kind)) most = Math.max(most, ++depth);
      else if (closing.has(kind)) depth--;
    }
  } catch (error) {
    // The parser stops at the same error, and reports its place.
    if (!(error instanceof GraphQLError)) throw error;
  }
  return most;
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** If two fragments had the same name, two checks of the query could read different fragments. */
function assertOneFragmentPerName(document: DocumentNode): void {
  const names = new Set<string>();
  for (const one of document.definitions) {
    if (one.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = one.name.value;
    if (names.has(name))
      throw new DriverError({ code: 'refused', message: `Two fragments of the query are named ${name}` });
    names.add(name);
  }
}

function readGraphql(text: string): GraphqlStatement {
  if (nestingOf(text) > deepest) {
    throw new DriverError({
      code: 'refused',
      message: `The query is nested more than ${deepest} levels deep`,
    });
  }
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
  assertOneFragmentPerName(document);
  const size = selectionSize(document);
  if (size > mostFields) {
    throw new DriverError({
      code: 'refused',
      message: Number.isFinite(size)
        ? `With its fragments written out, the query selects more than ${mostFields.toLocaleString('en')} fields`
        : 'A fragment of the query contains itself, or the fragments are nested too deep',
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
  return { kind: 'graphql', document };
}

async function runRest(
  client: WeaviateClient,
  line: RestLine,
  { guarded, ...sending }: Sending & { guarded: GuardedColumns | undefined },
): Promise<RunOutcome> {
  const answer = await sendLine(client, line, sending);
  const status = `HTTP ${answer.status}`;
  if (answer.status < 200 || answer.status > 299) {
    const { code, message, hint } = failureOfLine(answer, line.path);
    const named = message.includes(status) ? message : `${message} (${status})`;
    const failure = new DriverError({ code, message: named, ...(hint !== undefined && { hint }) });
    throw line.effect !== 'read' && fateOfWrite(answer) !== 'refused'
      ? doubtful(failure, sending.written)
      : failure;
  }
  const { effect } = line;
  if (answer.body === '') {
    return { effect, results: [], messages: [{ level: 'info', text: `${status}, ${doneBy(line)}` }] };
  }
  const result: RunResult = {
    kind: 'document',
    title: status,
    document: guarded ? maskAnswer(bodyOf(answer.body), guarded) : bodyOf(answer.body),
  };
  return { effect, results: [result], messages: [] };
}

/** What a request did whose answer has no body. */
function doneBy({ method, effect }: RestLine): string {
  if (method === 'DELETE') return 'deleted, unless it did not exist';
  if (method === 'HEAD') return 'it exists';
  return effect === 'read' ? 'without a body' : 'done';
}

function failureOfLine({ status, body }: WeaviateAnswer, path: string): DriverError {
  if (!isConnectPath(path)) return failureOfAnswer({ status, body }, path);
  return status === 404 ? connectNotOffered() : failureOfConnect({ status, bytes: Buffer.from(body) }, path);
}

function connectNotOffered(): DriverError {
  return new DriverError({
    code: 'not_found',
    message: 'The server does not offer Connect',
    hint: 'Weaviate has it from 1.38.3 on. A proxy must pass /v1/grpc-web/ and the header Connect-Protocol-Version.',
  });
}

interface Sending {
  ceiling: Effect;
  signal: AbortSignal;
  providerKeys: boolean;
  /** The objects that a statement with a limit writes. */
  written?: Written;
}

async function sendLine(
  client: WeaviateClient,
  { method, path, query, body, effect }: RestLine,
  { ceiling, signal, written, providerKeys }: Sending,
): Promise<WeaviateAnswer> {
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  try {
    return await client.send({
      method,
      path,
      query,
      body: body?.text,
      ceiling,
      signal,
      onSent,
      providerKeys,
    });
  } catch (error) {
    const isLost = isSent && isDriverError(error) && error.code === 'connection_failed';
    throw isLost && effect !== 'read' ? doubtful(error, written) : error;
  }
}

/** The hint does not say "Try again": the server may have done the request already, and would do it twice. */
function doubtful({ code, message }: DriverError, written: Written | undefined): DriverError {
  return new DriverError({
    code,
    message: `${message}; the server may still have carried out the request`,
    hint: 'Check the data before you send the request again.',
    ...(written && { written }),
  });
}

function bodyOf(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

/** The text of the confirmation. Deletes of more than one object are described in words. */
function summaryOf({ method, segments, path }: RestLine): string {
  const [root, first, second, ...deeper] = segments;
  if (method !== 'DELETE' || deeper.length > 0) return `${method} ${path}`;
  if (root === 'schema' && first !== undefined) {
    if (second === undefined) return `Delete the collection ${first} with all its objects`;
    if (second === 'tenants') return `Delete tenants of ${first} with all their objects`;
  }
  if (root === 'batch' && first === 'objects' && second === undefined)
    return 'Delete every object that matches a filter';
  if (root === 'objects' && first !== undefined && second === undefined)
    return 'Delete a uuid from every collection';
  return `${method} ${path}`;
}
