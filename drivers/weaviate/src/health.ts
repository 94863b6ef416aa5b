import { type ConnectOptions, DriverError, type Health } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { failureOfAnswer, gatewayStatuses, isMarkup, notReadyHint, wordsOf } from './failure.ts';
import { neitherHint, type OfferedQueries } from './requests/offered-queries.ts';

/**
 * Unlike the readiness endpoint, `/v1/meta` requires the key. So this check notices a revoked key. It also looks
 * again how the server takes queries.
 */
export async function checkHealth(
  client: WeaviateClient,
  queries: OfferedQueries,
  signal: AbortSignal,
): Promise<Health> {
  const answer = await client.send({ method: 'GET', path: '/v1/meta', ceiling: 'read', signal });
  const said = wordsOf(answer.body) || `HTTP ${answer.status}`;
  if (answer.status >= 500) return { warning: `The server reports a problem: ${said}` };
  if (answer.status === 403) return { warning: `The key may not read /v1/meta: ${said}` };
  if (answer.status !== 200) throw failureOfAnswer(answer, '/v1/meta');
  return (await queries.look(signal)) === 'none' ? { warning: withoutQueries } : {};
}

const withoutQueries =
  'This server takes no queries: GraphQL is turned off, and Connect is missing. Pages and exports without a ' +
  `filter, edits, imports and request lines work. Filters, sorts, searches and counts do not. ${neitherHint}`;

/** The server's version. Throws if it cannot be read, for example if the server rejects the key or is not Weaviate. */
export async function readVersion(
  client: WeaviateClient,
  address: string,
  { signal, stage }: { signal: AbortSignal; stage?: ConnectOptions['stage'] },
): Promise<string> {
  const answer = await client.send({ method: 'GET', path: '/v1/meta', ceiling: 'read', signal });
  // Weaviate's answer to a wrong key is JSON. An HTML page probably comes from a server that is not Weaviate.
  if (answer.status === 401 && !isMarkup(answer.body)) throw failureOfAnswer(answer, '/v1/meta');
  // Any server may answer 403. In Weaviate's own form, a 403 means that the key is valid, but may not read /v1/meta.
  if (answer.status === 403 && Array.isArray(memberOf(answer.body, 'error')))
    throw failureOfAnswer(answer, '/v1/meta');
  stage?.('version');
  const version = answer.status === 200 ? memberOf(answer.body, 'version') : undefined;
  if (typeof version === 'string') return version;
  // If the meta of one module fails, /v1/meta fails too. But /v1/nodes may still report the version.
  if (answer.status >= 500) {
    const nodes = await client.send({ method: 'GET', path: '/v1/nodes', ceiling: 'read', signal });
    const found = /"version"\s*:\s*"([^"]+)"/.exec(nodes.body)?.[1];
    if (found) return found;
  }
  if (gatewayStatuses.has(answer.status)) {
    throw new DriverError({
      code: 'connection_failed',
      message: `Connection failed: ${address} answers with HTTP ${answer.status}`,
      hint: notReadyHint,
    });
  }
  const speaksTls = /HTTP request (to an HTTPS server|was sent to HTTPS port)/i.test(answer.body);
  throw new DriverError({
    code: 'connection_failed',
    message: speaksTls
      ? `Connection failed: ${address} speaks HTTPS`
      : `Connection failed: ${address} answers, but is not a Weaviate server (HTTP ${answer.status})`,
    hint: speaksTls
      ? 'Choose another SSL Mode than Disabled.'
      : 'Check host and port: something else listens there.',
  });
}

function memberOf(body: string, name: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
