import {
  type Capability,
  type ChangeOutcome,
  type ConnectionFields,
  type ConnectStage,
  type DriverErrorDetails,
  type DriverLogEntry,
  type EndpointNeed,
  optionalMethods,
  type SaveReport,
  type ServerInfo,
  type Session,
  type SessionMethod,
} from '@trestle/driver-kit';
import {
  AnswerMismatch,
  checkCapabilities,
  checkError,
  checkLogEntry,
  checkServerInfo,
  checkStage,
} from '@trestle/driver-kit/answers';
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
  /** `error`: its shape is checked where the call is known. */
  | { type: 'failed'; id: number; error: unknown }
  /** The answer to `cancel`: the call has ended. */
  | { type: 'ended'; id: number }
  | { type: 'log'; entry: DriverLogEntry }
  /** The stage that `connect` has reached. */
  | { type: 'stage'; stage: ConnectStage }
  | { type: 'pong' }
  /** The first message: how the kernel confines the process. */
  | { type: 'wall'; wall: SecondWall };

/** What a process did whose message the app cannot read. */
export const noMessage = 'wrote an invalid message to the link';

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

/** Reads a message from a driver's process, which may send anything. Throws `AnswerMismatch` if it is none of `FromHost`. */
export function parseFromHost(message: unknown): FromHost {
  const { type, id, ...rest } = isRecord(message) ? message : {};
  switch (type) {
    case 'pong':
      return { type };
    case 'log':
      checkLogEntry(rest.entry);
      return { type, entry: rest.entry };
    case 'stage':
      checkStage(rest.stage);
      return { type, stage: rest.stage };
    case 'wall': {
      const { landlock, seccomp } = isRecord(rest.wall) ? rest.wall : {};
      return {
        type,
        wall: { landlock: (typeof landlock === 'number' && landlock) || 0, seccomp: seccomp === true },
      };
    }
  }
  if (!Number.isSafeInteger(id) || (id as number) < connectId) throw new AnswerMismatch(noMessage);
  switch (type) {
    case 'reply':
      return { type, id: id as number, value: rest.value };
    case 'failed':
      return { type, id: id as number, error: rest.error };
    case 'ended':
      return { type, id: id as number };
  }
  throw new AnswerMismatch(noMessage);
}

export function parseConnected(value: unknown): Connected {
  const { server, capabilities } = isRecord(value) ? value : {};
  checkServerInfo(server);
  checkCapabilities(capabilities);
  return {
    // A server may answer with any text, so a long text is no fault of the driver.
    server: {
      product: server.product.slice(0, longestServerText),
      version: server.version.slice(0, longestServerText),
    },
    capabilities: optionalMethods.filter((name) => capabilities.includes(name)),
  };
}

const longestServerText = 200;

export function parseStreamItem(value: unknown): StreamItem {
  if (!isRecord(value) || typeof value.done !== 'boolean')
    throw new AnswerMismatch('it is no item of a stream');
  return value.done ? { done: true } : { done: false, item: value.item };
}

/** Removes secrets from the texts of a checked report. */
export function redactReport(report: SaveReport, redact: Redact): SaveReport {
  return { ...report, outcomes: redactOutcomes(report.outcomes, redact) };
}

export function redactOutcomes(outcomes: readonly ChangeOutcome[], redact: Redact): ChangeOutcome[] {
  return outcomes.map(({ error, warning, ...outcome }) => ({
    ...outcome,
    ...(error && { error: redactError(error, redact) }),
    ...(warning !== undefined && { warning: redacted(warning, longestMessage, redact) }),
  }));
}

/** Throws `AnswerMismatch` if the driver's process sent something else than an error. */
export function parseError(error: unknown, redact: Redact): DriverErrorDetails {
  checkError(error);
  return redactError(error, redact);
}

function redactError(
  { code, message, hint, needs, written, endpoints }: DriverErrorDetails,
  redact: Redact,
): DriverErrorDetails {
  return {
    code,
    message: redacted(message, longestMessage, redact) || 'The driver gave no reason.',
    ...(hint !== undefined && { hint: redacted(hint, longestHint, redact) }),
    ...(needs !== undefined && { needs }),
    ...(written && { written }),
    ...(endpoints && { endpoints: redactedNeed(endpoints, redact) }),
  };
}

/** The user reads these texts in a question, and the app stores them if the user agrees. */
function redactedNeed({ endpoints, keys }: EndpointNeed, redact: Redact): EndpointNeed {
  return {
    endpoints: endpoints.map(({ table, setting, value }) => ({
      table: redact(table),
      setting: redact(setting),
      value: redact(value),
    })),
    keys: keys.map(redact),
  };
}

const longestMessage = 20_000;
const longestHint = 2_000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
