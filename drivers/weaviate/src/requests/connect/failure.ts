import { DriverError } from '@trestle/driver-kit';
import { authenticationFailure, failureOfAnswer, isMarkup, queryFailure, wordsOf } from '../../failure.ts';

/** The server does not offer Connect, or no longer: it answers 404 for the route. */
export class ConnectMissing extends Error {}

/** The error for an answer of Connect. A status of the server says little: 500 is any mistake in a request. */
export function failureOfConnect(answer: { status: number; bytes: Buffer }, path: string): DriverError {
  const body = answer.bytes.toString('utf8');
  const said = wordsOf(body);
  if (!isConnectError(body)) return failureOfAnswer({ status: answer.status, body }, path);
  if (/^(extract auth: )?unauthorized|^extract auth: /.test(said)) return authenticationFailure(said);
  if (answer.status === 429) return tooLarge(said);
  if (answer.status !== 500) return failureOfAnswer({ status: answer.status, body }, path);
  const words = said.replace(/^(?:(?:parse params|aggregate|extract filters): )+/, '');
  const collection = /^could not find class (\S+) in schema/.exec(words)?.[1];
  if (collection !== undefined) {
    return new DriverError({
      code: 'not_found',
      message: `The server does not find the collection "${collection}"`,
      hint: 'It was deleted, or the server has just started. Refresh, and try again.',
    });
  }
  return queryFailure(words);
}

function isConnectError(body: string): boolean {
  if (isMarkup(body)) return false;
  try {
    return typeof (JSON.parse(body) as { code?: unknown } | null)?.code === 'string';
  } catch {
    return false;
  }
}

/** Despite its status 429, this answer is not about too many requests. */
function tooLarge(said: string): DriverError {
  const sizes = /larger than max \((\d+) vs\. (\d+)\)/.exec(said);
  return new DriverError({
    code: 'query_failed',
    message: sizes
      ? `The answer has ${sizes[1]} bytes, and this server sends ${sizes[2]} at most (GRPC_MAX_MESSAGE_SIZE)`
      : `The request is too large for this server (GRPC_MAX_MESSAGE_SIZE): ${said}`,
    hint: sizes ? 'Read fewer rows, or fewer columns.' : 'Use a shorter filter or search.',
  });
}
