import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { type AppErrorCode, isAppError } from '@trestle/core';
import { fencedInline } from './answer/fence.ts';
import { rpcCode } from './rpc.ts';

/**
 * Rethrows a JSON-RPC error. Throws `forbidden` as a JSON-RPC error: the client may not use the connection, or its token
 * lacks the permission. Returns every other failure as a tool result that a model can read and act on.
 */
export function toolFailure(error: unknown, log: (message: string) => void): CallToolResult {
  if (ProtocolError.isInstance(error)) throw error;
  if (!isAppError(error)) {
    log(`A tool failed: ${traceOf(error)}`);
    return failureResult('internal_failure', { message: 'Trestle failed; its log says how' });
  }
  if (error.code === 'forbidden') throw new ProtocolError(rpcCode.forbidden, sentences(error));
  // Only a client with a Full Access token gets this code. It can ask the user with another tool.
  if (error.code === 'above_ceiling') {
    const { message, fromDatabase } = error;
    return failureResult('denied', { message, fromDatabase }, confirmation);
  }
  return failureResult(toolCodes[error.code], error, error.code === 'refused' ? neverRuns : undefined);
}

const neverRuns = 'No setting changes that: do it another way.';
const confirmation =
  'It had no effect. If it is really wanted, call confirm_destructive_operation with a statement that does it: the user is asked in Trestle.';

/** The JSON-RPC error of a failed read of a resource or prompt. Unlike tools, these have no error results. */
export function protocolFailure(
  error: unknown,
  log: (message: string) => void,
  data?: Record<string, unknown>,
): ProtocolError {
  if (ProtocolError.isInstance(error)) return error;
  if (error instanceof URIError) return new ProtocolError(rpcCode.invalidParams, 'That is not a URI', data);
  if (!isAppError(error)) {
    log(`A read failed: ${traceOf(error)}`);
    return new ProtocolError(rpcCode.server, 'Trestle failed; its log says how');
  }
  const is = error.code === 'forbidden' ? 'denied' : toolCodes[error.code];
  return new ProtocolError(rpcCodes[is], withNextStep(error, nextSteps[is]), data);
}

/** For the log. Leaves out the error's properties, which may contain a secret. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** `nextStep`: the advice for an error without a hint. */
export function failureResult(code: ToolErrorCode, words: Words, nextStep = nextSteps[code]): CallToolResult {
  return { content: [{ type: 'text', text: `${code}: ${withNextStep(words, nextStep)}` }], isError: true };
}

function withNextStep(words: Words, nextStep: string): string {
  return words.hint === undefined ? `${sentences(words)} ${nextStep}` : sentences(words);
}

/** The codes at the start of a tool's error text, and the advice if the error has no hint. */
const nextSteps = {
  invalid_argument: 'describe_table lists the columns, and the filters and values that each accepts.',
  not_connected: 'Ask the user to check the connection in Trestle, then try again.',
  not_found: 'Call list_tables or browse_table to see what exists.',
  denied: 'Ask the user to allow it in Trestle; trying again does not help.',
  timeout: 'Do less in one call, or ask the user to raise the statement timeout in Settings.',
  unsupported: 'describe_table says what runs here.',
  query_failed: 'Correct the statement: describe_table has the names, and a query that runs.',
  user_cancelled: 'Call it again only if it is still wanted.',
  internal_failure: 'Try once more; if it fails again, tell the user.',
};

type ToolErrorCode = keyof typeof nextSteps;

const toolCodes: Record<Exclude<AppErrorCode, 'forbidden'>, ToolErrorCode> = {
  read_only: 'denied',
  not_approved: 'denied',
  passphrase_needed: 'denied',
  above_ceiling: 'denied',
  over_budget: 'denied',
  loss_changed: 'denied',
  refused: 'denied',
  permission_denied: 'denied',
  not_connected: 'not_connected',
  authentication_failed: 'not_connected',
  connection_failed: 'not_connected',
  driver_missing: 'not_connected',
  driver_crashed: 'not_connected',
  not_found: 'not_found',
  invalid_argument: 'invalid_argument',
  filter_unrunnable: 'invalid_argument',
  paging_limit: 'invalid_argument',
  query_failed: 'query_failed',
  conflict: 'query_failed',
  locked: 'query_failed',
  unsupported: 'unsupported',
  timeout: 'timeout',
  cancelled: 'user_cancelled',
  internal: 'internal_failure',
  storage_failed: 'internal_failure',
};

const rpcCodes: Record<ToolErrorCode, number> = {
  denied: rpcCode.forbidden,
  not_found: rpcCode.invalidParams,
  invalid_argument: rpcCode.invalidParams,
  timeout: rpcCode.timeout,
  user_cancelled: rpcCode.cancelled,
  not_connected: rpcCode.server,
  unsupported: rpcCode.server,
  query_failed: rpcCode.server,
  internal_failure: rpcCode.server,
};

export interface Words {
  message: string;
  hint?: string | undefined;
  /** The text may quote the database, so it is sent as data. */
  fromDatabase?: boolean | undefined;
  /** Text from the database. It is sent as data after the message. */
  quoted?: string | undefined;
}

/** Joins message and hint. A driver's hint may name tables and columns, so the hint is data like the message. */
export function sentences({ message, hint, fromDatabase, quoted }: Words): string {
  const said = [message, hint]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => sentence(part as string));
  const own = fromDatabase ? fencedInline(said.join(' ')) : said.join(' ');
  return quoted === undefined ? own : `${own} ${fencedInline(sentence(quoted))}`;
}

function sentence(text: string): string {
  const part = short(text);
  return /[.!?…]$/.test(part) ? part : `${part}.`;
}

/** Cuts a long text: an error may quote the request, which may be megabytes long. */
function short(text: string): string {
  return text.length > maxSentence ? `${text.slice(0, maxSentence).toWellFormed()}…` : text;
}

const maxSentence = 4_000;
