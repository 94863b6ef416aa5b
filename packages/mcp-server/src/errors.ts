import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { type AppErrorCode, fencedInline, isAppError, joinOwn, OwnText, own, type Said } from '@trestle/core';
import { toolResult } from './answer/answer.ts';
import { rpcCode } from './rpc.ts';

/**
 * Rethrows a JSON-RPC error. Throws `forbidden` as a JSON-RPC error: the client may not use the connection, or its token
 * lacks the permission. Returns every other failure as a tool result that a model can read and act on.
 */
export function toolFailure(error: unknown, log: (message: string) => void): CallToolResult {
  if (ProtocolError.isInstance(error)) throw error;
  if (!isAppError(error)) {
    log(`A tool failed: ${traceOf(error)}`);
    return failureResult('internal_failure', { message: own`Trestle failed; its log says how` });
  }
  const { message, hints, quoted } = error.said;
  const words = { message, hints, quoted };
  if (error.code === 'forbidden') throw rpcError(rpcCode.forbidden, sentences(words));
  // Only a client with a Full Access token gets this code. It can ask the user with another tool.
  if (error.code === 'above_ceiling') return failureResult('denied', { message, quoted }, confirmation);
  return failureResult(toolCodes[error.code], words, error.code === 'refused' ? neverRuns : undefined);
}

const neverRuns = own`No setting changes that: do it another way.`;
const confirmation = own`It had no effect. If it is really wanted, call confirm_destructive_operation with a statement that does it: the user is asked in Trestle.`;

/** The JSON-RPC error of a failed read of a resource or prompt. Unlike tools, these have no error results. */
export function protocolFailure(
  error: unknown,
  log: (message: string) => void,
  data?: Record<string, unknown>,
): ProtocolError {
  if (ProtocolError.isInstance(error)) return error;
  if (error instanceof URIError) return rpcError(rpcCode.invalidParams, own`That is not a URI`, data);
  if (!isAppError(error)) {
    log(`A read failed: ${traceOf(error)}`);
    return rpcError(rpcCode.server, own`Trestle failed; its log says how`);
  }
  const is = error.code === 'forbidden' ? 'denied' : toolCodes[error.code];
  return rpcError(rpcCodes[is], sentences(error.said, nextSteps[is]), data);
}

/** The only place that makes a JSON-RPC error for the SDK, so its message is never a plain string. */
export function rpcError(code: number, message: OwnText, data?: Record<string, unknown>): ProtocolError {
  return new ProtocolError(code, message.toString(), data);
}

/** For the log. Leaves out the error's properties, which may contain a secret. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** `nextStep`: the advice for an error without an own hint. */
export function failureResult(code: ToolErrorCode, words: Words, nextStep = nextSteps[code]): CallToolResult {
  return toolResult({ text: own`${errorNames[code]}: ${sentences(words, nextStep)}`, isError: true });
}

/** The code at the start of an answer that reports only failures. */
export function codeOf(failures: readonly Exclude<AppErrorCode, 'forbidden'>[]): OwnText {
  const codes = new Set(failures.map((failure) => toolCodes[failure]));
  const [code] = codes;
  return errorNames[codes.size === 1 && code !== undefined ? code : 'query_failed'];
}

/** The codes at the start of a tool's error text. */
const errorNames = {
  invalid_argument: own`invalid_argument`,
  not_connected: own`not_connected`,
  not_found: own`not_found`,
  denied: own`denied`,
  timeout: own`timeout`,
  unsupported: own`unsupported`,
  query_failed: own`query_failed`,
  user_cancelled: own`user_cancelled`,
  internal_failure: own`internal_failure`,
};

type ToolErrorCode = keyof typeof errorNames;

/** The advice if the error has no own hint. */
const nextSteps: Record<ToolErrorCode, OwnText> = {
  invalid_argument: own`describe_table lists the columns, and the filters and values that each accepts.`,
  not_connected: own`Ask the user to check the connection in Trestle, then try again.`,
  not_found: own`Call list_tables or browse_table to see what exists.`,
  denied: own`Ask the user to allow it in Trestle; trying again does not help.`,
  timeout: own`Do less in one call, or ask the user to raise the statement timeout in Settings.`,
  unsupported: own`describe_table says what runs here.`,
  query_failed: own`Correct the statement: describe_table has the names, and a query that runs.`,
  user_cancelled: own`Call it again only if it is still wanted.`,
  internal_failure: own`Try once more; if it fails again, tell the user.`,
};

const toolCodes: Record<Exclude<AppErrorCode, 'forbidden'>, ToolErrorCode> = {
  read_only: 'denied',
  not_approved: 'denied',
  passphrase_needed: 'denied',
  above_ceiling: 'denied',
  over_budget: 'denied',
  loss_changed: 'denied',
  mask_outdated: 'query_failed',
  disk_full: 'query_failed',
  endpoint_unapproved: 'denied',
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

interface Words {
  message: Said;
  hints?: readonly Said[];
  quoted?: string | undefined;
}

/** Our own words first, or the next step if there is no own hint. Then everything else, inside a fence. */
export function sentences({ message, hints = [], quoted }: Words, nextStep?: OwnText): OwnText {
  const said = [message, ...hints];
  const step = nextStep !== undefined && !hints.some(OwnText.is) ? [nextStep] : [];
  const words = [...said.filter(OwnText.is), ...step].map(ownSentence);
  const foreign = foreignSentences([...said.filter((text) => typeof text === 'string'), quoted ?? '']);
  return joinOwn([...words, ...(foreign === '' ? [] : [fencedInline(foreign)])], own` `);
}

/** For text that stands inside a fence already. */
export function errorSentences({ message, hint }: { message: string; hint?: string | undefined }): string {
  return foreignSentences(hint === undefined ? [message] : [message, hint]);
}

function foreignSentences(texts: string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => endSentence(short(text)))
    .join(' ');
}

function ownSentence(text: OwnText): OwnText {
  return isEnded(text.toString()) ? text : own`${text}.`;
}

function endSentence(text: string): string {
  return isEnded(text) ? text : `${text}.`;
}

function isEnded(text: string): boolean {
  return /[.!?…]$/.test(text);
}

/** Cuts a long text: an error may quote the request, which may be megabytes long. */
function short(text: string): string {
  return text.length > maxSentence ? `${text.slice(0, maxSentence).toWellFormed()}…` : text;
}

const maxSentence = 4_000;
