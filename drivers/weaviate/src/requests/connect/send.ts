import {
  type ConnectMethod,
  type ConnectMethodName,
  connectMethods,
  connectPath,
  type MessageShape,
  toBinary,
} from '@trestle/weaviate-connect';
import { wrongAnswer } from '../../answer-shape.ts';
import type { WeaviateClient } from '../../client.ts';
import { ConnectMissing, failureOfConnect } from './failure.ts';

/** The methods that only read. */
type ReadMethod = Extract<ConnectMethodName, 'Search' | 'Aggregate'>;

interface Call<Method extends ReadMethod, Answer> {
  client: WeaviateClient;
  signal: AbortSignal;
  providerKeys?: boolean;
  method: Method;
  message: MessageShape<(typeof connectMethods)[Method]['request']>;
  /** Reads the reply in its binary form. Throws if it is damaged. */
  read: (bytes: Buffer) => Answer;
}

/** Throws `ConnectMissing` if the server does not offer Connect. */
export async function send<Method extends ReadMethod, Answer>(call: Call<Method, Answer>): Promise<Answer> {
  const { client, signal, providerKeys = false, method, message, read } = call;
  const path = connectPath(method);
  const { request }: ConnectMethod = connectMethods[method];
  const answer = await client.callConnect({ path, body: toBinary(request, message), signal, providerKeys });
  if (answer.status === 404) throw new ConnectMissing();
  if (answer.status !== 200) throw failureOfConnect(answer, path);
  if (!answer.isMessage) {
    // A proxy has answered in place of the server. `parse` refuses a web page.
    client.parse(answer.bytes.toString('utf8'));
    throw wrongAnswer(path);
  }
  try {
    return read(answer.bytes);
  } catch {
    throw client.damaged('');
  }
}
