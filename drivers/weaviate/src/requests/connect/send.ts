import {
  connectMethods,
  connectPath,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@trestle/weaviate-connect';
import type { WeaviateClient } from '../../client.ts';
import { ConnectMissing, failureOfConnect } from './failure.ts';

type ReadMethod = 'Search' | 'Aggregate';

/** Sends a message of a method that reads. Throws `ConnectMissing` if the server does not offer Connect. */
export async function send<Method extends ReadMethod>(
  client: WeaviateClient,
  method: Method,
  message: MessageShape<(typeof connectMethods)[Method]['request']>,
  { signal, providerKeys = false }: { signal: AbortSignal; providerKeys?: boolean },
): Promise<MessageShape<(typeof connectMethods)[Method]['reply']>> {
  const { request, reply } = connectMethods[method];
  const path = connectPath(method);
  const body = toBinary<typeof request>(request, message);
  const answer = await client.callConnect({ path, body, signal, providerKeys });
  if (answer.status === 404) throw new ConnectMissing();
  if (answer.status !== 200) throw failureOfConnect(answer, path);
  try {
    return fromBinary<typeof reply>(reply, answer.bytes) as MessageShape<
      (typeof connectMethods)[Method]['reply']
    >;
  } catch {
    // A proxy may have answered with a page of its own.
    throw client.damaged(answer.bytes.toString('utf8'));
  }
}
