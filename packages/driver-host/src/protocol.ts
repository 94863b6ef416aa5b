import {
  type Capability,
  type ChangeOutcome,
  type ConnectionFields,
  type ConnectStage,
  connectStages,
  type DriverErrorCode,
  type DriverErrorDetails,
  type DriverLogEntry,
  optionalMethods,
  type RowKey,
  type SaveReport,
  type ServerInfo,
  type Session,
  type SessionMethod,
  type Written,
} from '@trestle/driver-kit';
import { type Redact, redacted } from './redact.ts';
import type { SecondWall } from './walls/second-wall.ts';

/**
 * Every message of the link. This file is the contract between the app and a driver's process. The frames of
 * relayed sockets use a second pipe and are in `sockets/frames.ts`.
 */

/**
 * `connect`, `probe` and `greet` have no id: their answers have the id 0. `probe` only imports the driver. A stream
 * answers one `pull` at a time, so items do not pile up.
 */
export type ToHost =
  | { type: 'connect'; entry: string; fields: ConnectionFields; network: boolean }
  | { type: 'probe'; entry: string }
  /** Answered by the host process, without the driver. */
  | { type: 'greet' }
  | { type: 'call'; id: number; method: CallMethod; args: unknown[] }
  /** The first pull of a stream contains its method and request. */
  | { type: 'pull'; id: number; open?: { method: StreamMethod; request: unknown } }
  | { type: 'cancel'; id: number }
  /** Aborts the signal of a stream, so the driver starts nothing new. The app still pulls the remaining items. */
  | { type: 'drain'; id: number }
  | { type: 'ping' }
  | { type: 'close' };

export type FromHost =
  | { type: 'reply'; id: number; value: unknown }
  | { type: 'failed'; id: number; error: DriverErrorDetails }
  /** The answer to `cancel`: the call has ended. */
  | { type: 'ended'; id: number }
  | { type: 'log'; entry: DriverLogEntry }
  /** The stage that `connect` has reached. */
  | { type: 'stage'; stage: ConnectStage }
  | { type: 'pong' }
  /** The first message: how the kernel confines the process. */
  | { type: 'wall'; wall: SecondWall };

export const connectId = 0;
export const firstCallId = 1;

/** The file descriptor of the link in the process. */
export const linkDescriptor = 3;

/** The file descriptor of the pipe for sockets that the app dials, if the manifest names a network. */
export const socketsDescriptor = 4;

const streamMethods = [
  'exportRows',
  'sampleRows',
  'applyChanges',
  'importRows',
] as const satisfies SessionMethod[];
export type StreamMethod = (typeof streamMethods)[number];
export type CallMethod = Exclude<SessionMethod, 'close' | StreamMethod>;

export interface Connected {
  server: ServerInfo;
  capabilities: Capability[];
}

export type StreamItem = { done: true } | { done: false; item: unknown };

export function capabilitiesOf(session: Session): Capability[] {
  return optionalMethods.filter((method) => typeof session[method] === 'function');
}

/** Parses a message from a driver's process, which may send anything. Undefined if the message cannot be used. */
export function parseFromHost(message: unknown, redact: Redact): FromHost | undefined {
  if (!isRecord(message)) return undefined;
  const { type, id } = message;
  if (type === 'pong') return { type };
  if (type === 'log') {
    const entry = parseLogEntry(message.entry);
    return entry && { type, entry };
  }
  if (type === 'wall') {
    const { landlock, seccomp } = isRecord(message.wall) ? message.wall : {};
    return {
      type,
      wall: { landlock: (typeof landlock === 'number' && landlock) || 0, seccomp: seccomp === true },
    };
  }
  if (type === 'stage') {
    const stage = connectStages.find((known) => known === message.stage);
    return stage && { type, stage };
  }
  if (typeof id !== 'number') return undefined;
  if (type === 'reply') return { type, id, value: message.value };
  if (type === 'failed') return { type, id, error: parseError(message.error, redact) };
  return type === 'ended' ? { type, id } : undefined;
}

export function parseConnected(value: unknown): Connected {
  const { server, capabilities } = isRecord(value) ? value : {};
  const { product, version } = isRecord(server) ? server : {};
  return {
    server: { product: text(product, 200), version: text(version, 200) },
    capabilities: optionalMethods.filter(
      (name) => Array.isArray(capabilities) && capabilities.includes(name),
    ),
  };
}

export function parseStreamItem(value: unknown): StreamItem {
  return isRecord(value) && value.done === false ? { done: false, item: value.item } : { done: true };
}

/**
 * Leaves out invalid parts of a report. A forged report can lie only about rows of its own save: the core ignores the
 * ids of other rows.
 */
export function parseSaveReport(value: unknown, redact: Redact): SaveReport {
  const { sent, keys, outcomes, written } = isRecord(value) ? value : {};
  const chosen = Object.entries(isRecord(keys) ? keys : {}).filter(([, key]) => isRecord(key));
  return {
    sent: Array.isArray(sent) ? sent.filter((id) => typeof id === 'string') : [],
    ...(chosen.length > 0 && { keys: Object.fromEntries(chosen) as Record<string, RowKey> }),
    outcomes: parseOutcomes(outcomes, redact),
    ...parseWritten(written),
  };
}

function parseWritten(value: unknown): { written?: Written } {
  const { changed, inserted } = isRecord(value) ? value : {};
  return isCount(changed) && isCount(inserted) ? { written: { changed, inserted } } : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function parseOutcomes(value: unknown, redact: Redact): ChangeOutcome[] {
  return Array.isArray(value) ? value.flatMap((one) => parseOutcome(one, redact)) : [];
}

function parseOutcome(value: unknown, redact: Redact): ChangeOutcome[] {
  if (!isRecord(value) || typeof value.id !== 'string') return [];
  const { id, key, error } = value;
  const status = (['applied', 'failed', 'skipped', 'unknown'] as const).find((one) => one === value.status);
  if (!status) return [];
  return [
    {
      id,
      status,
      ...(value.existing === true && { existing: true as const }),
      ...(error !== undefined && { error: parseError(error, redact) }),
      ...(typeof value.warning === 'string' && { warning: redacted(value.warning, longestMessage, redact) }),
      ...(isRecord(key) && { key: key as RowKey }),
    },
  ];
}

function parseLogEntry(entry: unknown): DriverLogEntry | undefined {
  if (!isRecord(entry)) return undefined;
  const level = (['debug', 'info', 'warn', 'error'] as const).find((known) => known === entry.level);
  // `HostLog` cuts the message, after redaction.
  return level && { level, message: typeof entry.message === 'string' ? entry.message : '' };
}

function parseError(error: unknown, redact: Redact): DriverErrorDetails {
  const { code, message, hint, needs, written } = isRecord(error) ? error : {};
  const effect = (['read', 'write', 'destroy'] as const).find((known) => known === needs);
  return {
    code: isErrorCode(code) ? code : 'internal',
    message:
      (typeof message === 'string' && redacted(message, longestMessage, redact)) ||
      'The driver gave no reason.',
    ...(typeof hint === 'string' && { hint: redacted(hint, longestHint, redact) }),
    ...(effect && { needs: effect }),
    ...parseWritten(written),
  };
}

const longestMessage = 20_000;
const longestHint = 2_000;

const errorCodes: Record<DriverErrorCode, true> = {
  authentication_failed: true,
  connection_failed: true,
  permission_denied: true,
  not_found: true,
  invalid_argument: true,
  filter_unrunnable: true,
  paging_limit: true,
  above_ceiling: true,
  over_budget: true,
  loss_changed: true,
  refused: true,
  conflict: true,
  locked: true,
  query_failed: true,
  unsupported: true,
  cancelled: true,
  timeout: true,
  driver_crashed: true,
  internal: true,
};

function isErrorCode(code: unknown): code is DriverErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

function text(value: unknown, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
