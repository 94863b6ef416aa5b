import { DriverError, isDriverError } from '@trestle/driver-kit';
import { connectHealthPath } from '@trestle/weaviate-connect';
import type { WeaviateClient } from '../client.ts';
import { gatewayStatuses } from '../failure.ts';
import { ConnectMissing } from './connect/failure.ts';
import { connectQueries } from './connect/queries.ts';
import { graphqlQueries } from './graphql/queries.ts';
import type { ObjectQueries } from './model/objects.ts';

/** How a server takes queries. Weaviate 1.38.3 added Connect. Newer servers may have GraphQL turned off. */
export type QueryInterface = 'connect' | 'graphql' | 'none';

/**
 * Sends each query over Connect if the server offers it, and else over GraphQL. The server's answer decides, not its
 * version. An operator can switch both while the server runs, so a refusal of one makes this look again.
 */
export class OfferedQueries implements ObjectQueries {
  readonly #client: WeaviateClient;
  #offersConnect: boolean | undefined;

  constructor(client: WeaviateClient) {
    this.#client = client;
  }

  find: ObjectQueries['find'] = (place, request) =>
    this.#send((queries) => queries.find(place, request), place.signal);

  findGroups: ObjectQueries['findGroups'] = (place, request) =>
    this.#send((queries) => queries.findGroups(place, request), place.signal);

  readVectors: ObjectQueries['readVectors'] = (place, ids, vectors) =>
    this.#send((queries) => queries.readVectors(place, ids, vectors), place.signal);

  readsVectorsFast: ObjectQueries['readsVectorsFast'] = (signal) =>
    this.#send((queries) => queries.readsVectorsFast(signal), signal);

  count: ObjectQueries['count'] = (place, where) =>
    this.#send((queries) => queries.count(place, where), place.signal);

  aggregate: ObjectQueries['aggregate'] = (place, query) =>
    this.#send((queries) => queries.aggregate(place, query), place.signal);

  async offersConnect(signal: AbortSignal): Promise<boolean> {
    if (this.#offersConnect !== undefined) return this.#offersConnect;
    const offers = await answersConnect(this.#client, signal);
    // A gateway whose server is not ready says nothing about Connect, so the next query asks again.
    if (offers !== null) this.#offersConnect = offers;
    return offers === true;
  }

  /** Asks the server again. Sends no GraphQL if Connect is there. */
  async look(signal: AbortSignal): Promise<QueryInterface> {
    this.#offersConnect = undefined;
    if (await this.offersConnect(signal)) return 'connect';
    try {
      await this.#client.graphqlData('{ __typename }', signal);
    } catch (error) {
      if (isTurnedOff(error)) return 'none';
      if (!isDriverError(error) || error.code === 'cancelled' || error.code === 'connection_failed')
        throw error;
    }
    return 'graphql';
  }

  async #send<T>(work: (queries: ObjectQueries) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await this.#sendOnce(work, signal);
    } catch (error) {
      const isLost = error instanceof ConnectMissing || isTurnedOff(error);
      if (!isLost) throw error;
      this.#offersConnect = undefined;
      if (!(await this.offersConnect(signal)) && isDriverError(error)) throw neitherOffered();
    }
    try {
      return await this.#sendOnce(work, signal);
    } catch (error) {
      const isLost = error instanceof ConnectMissing || isTurnedOff(error);
      throw isLost ? neitherOffered() : error;
    }
  }

  async #sendOnce<T>(work: (queries: ObjectQueries) => Promise<T>, signal: AbortSignal): Promise<T> {
    return work((await this.offersConnect(signal)) ? connectQueries : graphqlQueries);
  }
}

/** Weaviate's answer if an operator turned GraphQL off. A hosted cluster may answer 404 or 410. */
export function isTurnedOff(error: unknown): boolean {
  if (!isDriverError(error)) return false;
  const { code, message } = error;
  const isGone = code === 'unsupported' || code === 'not_found';
  return /graphql api is disabled/i.test(message) || (isGone && message.includes('/v1/graphql'));
}

export function neitherOffered(): DriverError {
  return new DriverError({
    code: 'unsupported',
    message:
      'This server takes no filter, sort, search or count: GraphQL is turned off, and Connect is missing',
    hint: neitherHint,
  });
}

export const neitherHint =
  'Use Weaviate 1.38.3 or newer, let a proxy pass /v1/grpc-web/ and the header Connect-Protocol-Version, or turn GraphQL on.';

/**
 * Null if a gateway answers that its server is not ready. The health method of Connect needs no key. Another program may
 * answer 200 too, so the answer is read.
 */
async function answersConnect(client: WeaviateClient, signal: AbortSignal): Promise<boolean | null> {
  const path = connectHealthPath;
  const answer = await client.callConnect({ path, body: new Uint8Array(0), signal, providerKeys: false });
  if (gatewayStatuses.has(answer.status)) return null;
  if (answer.status !== 200 || !answer.isMessage) return false;
  // A message that is cut short must not send the query to GraphQL, which may be off.
  if (!answer.bytes.equals(serving)) throw client.damaged('');
  return true;
}

/** The message {status: SERVING}. */
const serving = Buffer.from([0x08, 0x01]);
