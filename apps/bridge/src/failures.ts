import { modernProtocolVersion } from '@trestle/handshake';
import { isObject, type RpcMessage } from './messages.ts';

/** A failure that the bridge itself reports. */
export class BridgeFailure extends Error {
  readonly code: number;
  /** The layer in which the call failed. The client gets it as `data.layer` of the error. */
  readonly layer: 'bridge' | 'endpoint' | 'app';

  constructor(layer: BridgeFailure['layer'], code: number, message: string) {
    super(message);
    this.name = 'BridgeFailure';
    this.layer = layer;
    this.code = code;
  }
}

export function notRunning(detail: string): BridgeFailure {
  return new BridgeFailure(
    'bridge',
    -33000,
    `Trestle is not running: ${detail}. Open Trestle and check that the MCP server shows as running in ` +
      'Settings → Integrations; if it does, turn Enable MCP Server off and on. Then start this client again.',
  );
}

export function notProved(port: number, path: string, detail: string): BridgeFailure {
  return new BridgeFailure(
    'endpoint',
    -33000,
    `The endpoint on 127.0.0.1:${port} did not prove it belongs to Trestle: ${detail}. ` +
      `Quit Trestle, delete ${path}, and open Trestle again.`,
  );
}

export function tooOld(appVersion: string): BridgeFailure {
  return new BridgeFailure(
    'app',
    -32022,
    `This build of Trestle does not speak protocol ${modernProtocolVersion}: the app (${appVersion}) is older ` +
      'than the bridge. Update Trestle.',
  );
}

export function turnedOff(): BridgeFailure {
  return new BridgeFailure(
    'app',
    -33006,
    "The MCP server is turned off. Turn on Enable MCP Server in Trestle's Settings → Integrations.",
  );
}

/**
 * The app proved itself with the handshake's secret, but refuses the token that is still in the file. Probably the
 * app could not write its next token, for instance because the disk is full.
 */
export function unauthenticated(path: string): BridgeFailure {
  return new BridgeFailure(
    'app',
    -33009,
    `Unauthenticated: the app refused the bridge token in ${path}, which is stale. Perhaps Trestle cannot write its ` +
      'next token there: check that the disk has room and the file is writable. Then quit Trestle and open it again.',
  );
}

export function lost(detail: string): BridgeFailure {
  return new BridgeFailure(
    'endpoint',
    -33000,
    `Trestle did not answer: ${detail}. It is not known whether the call took effect; ` +
      'check before you send it again.',
  );
}

/**
 * The text for stderr, if the message is a denied call, an error with one of Trestle's codes (-33000 and below), or the
 * error for an unsupported protocol version. Undefined for other messages.
 */
export function refusalIn(message: RpcMessage): string | undefined {
  if ('method' in message) return undefined;
  const { result, error } = message;
  if (error) return error.code <= -33_000 || error.code === -32_022 ? error.message : undefined;
  if (result?.isError !== true || !Array.isArray(result.content)) return undefined;
  const [first] = result.content;
  const text = isObject(first) && typeof first.text === 'string' ? first.text : '';
  return text.startsWith('denied:') ? text : undefined;
}
