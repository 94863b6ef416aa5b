import { DriverError, type Json, type RunOutcome } from '@trestle/driver-kit';
import { connectMethods, fromBinary } from '@trestle/weaviate-connect';
import { type DocumentNode, Kind, print, visit } from 'graphql';
import type { WeaviateClient } from './client.ts';
import { resultsOf } from './graphql-result.ts';
import { connectCode } from './graphql-text/convert/convert.ts';
import { execute, type Translation, translate } from './graphql-text/translate.ts';
import type { GuardedColumns } from './guarded-columns.ts';
import { ConnectMissing } from './requests/connect/failure.ts';
import { send } from './requests/connect/send.ts';
import { isTurnedOff, neitherOffered, type OfferedQueries } from './requests/offered-queries.ts';
import type { Collection } from './schema.ts';

export interface GraphqlStatement {
  kind: 'graphql';
  document: DocumentNode;
  variables?: Json;
}

interface QueryServer {
  client: WeaviateClient;
  queries: OfferedQueries;
  collections(): Promise<Collection[]>;
  signal: AbortSignal;
}

interface GraphqlSending {
  limit: number;
  guarded: GuardedColumns | undefined;
  providerKeys: boolean;
  /** A person's text goes out as it is written, wherever the server has GraphQL. */
  isUser: boolean;
}

/**
 * Sends the text of a query. Hosted clusters are judged by their use of GraphQL. So a client's query is translated
 * wherever the server has Connect and the query translates.
 */
export async function runGraphql(
  server: QueryServer,
  statement: GraphqlStatement,
  sending: GraphqlSending,
): Promise<RunOutcome> {
  const { queries, signal } = server;
  if (!sending.isUser && (await queries.offersConnect(signal))) {
    const translation = await attempted(server, statement);
    if (!(translation instanceof DriverError)) return sendTranslated(server, statement, translation, sending);
    try {
      return await sendAsWritten(server, statement, sending);
    } catch (error) {
      throw isTurnedOff(error) ? translation : error;
    }
  }
  try {
    return await sendAsWritten(server, statement, sending);
  } catch (error) {
    if (!isTurnedOff(error)) throw error;
  }
  if (!(await queries.offersConnect(signal))) throw neitherOffered();
  const translation = translate(statement, await server.collections());
  return sendTranslated(server, statement, translation, sending);
}

/** The error in place of a translation if the query has no translation. */
async function attempted(
  { collections }: QueryServer,
  statement: GraphqlStatement,
): Promise<Translation | DriverError> {
  const all = await collections();
  try {
    return translate(statement, all);
  } catch (error) {
    if (error instanceof DriverError) return error;
    throw error;
  }
}

async function sendAsWritten(
  { client, signal }: QueryServer,
  { document, variables }: GraphqlStatement,
  { limit, guarded, providerKeys }: GraphqlSending,
): Promise<RunOutcome> {
  const text = print(withoutBlocks(document));
  const { data, errors } = await client.graphql(text, signal, { variables, providerKeys });
  return {
    effect: 'read',
    results: data ? resultsOf(document, data, limit, guarded) : [],
    messages: errors.map(({ message, path }) => ({ level: 'error', text: message, ...(path && { path }) })),
    sent: {
      words: 'Sent as GraphQL',
      requests: [{ label: 'GraphQL', language: 'graphql', text: `${print(document)}\n` }],
    },
  };
}

async function sendTranslated(
  server: QueryServer,
  statement: GraphqlStatement,
  translation: Translation,
  sending: GraphqlSending,
): Promise<RunOutcome> {
  const { client, queries, signal } = server;
  const { limit, guarded, providerKeys } = sending;
  let sent = 0;
  const options = { client, signal, providerKeys };
  try {
    const data = await execute(translation, {
      search(request) {
        sent++;
        return send({
          ...options,
          method: 'Search',
          message: request,
          read: (bytes) => fromBinary(connectMethods.Search.reply, bytes),
        });
      },
      aggregate(request) {
        sent++;
        return send({
          ...options,
          method: 'Aggregate',
          message: request,
          read: (bytes) => fromBinary(connectMethods.Aggregate.reply, bytes),
        });
      },
    });
    return {
      effect: 'read',
      results: resultsOf(statement.document, data, limit, guarded),
      messages: [],
      sent: {
        words: `Translated, and sent over Connect${sent === 1 ? '' : ` as ${sent} requests`}`,
        requests: [connectCode(translation)],
      },
    };
  } catch (error) {
    if (!(error instanceof ConnectMissing)) throw error;
    // An operator has switched Connect off since the driver looked.
    if ((await queries.look(signal)) !== 'graphql') throw neitherOffered();
    return sendAsWritten(server, statement, sending);
  }
}

/** Writes each block string as a plain one: the server's parser may read a block string differently than ours. */
function withoutBlocks(document: DocumentNode): DocumentNode {
  return visit(document, { [Kind.STRING]: (node) => (node.block ? { ...node, block: false } : undefined) });
}
