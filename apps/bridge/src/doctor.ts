import { type Handshake, handshakePath, modernProtocolVersion, readHandshake } from '@trestle/handshake';
import { AppLink } from './app-link.ts';
import { Call } from './call.ts';
import { BridgeFailure, notRunning, tooOld, turnedOff } from './failures.ts';
import { modernize, unknownClient } from './legacy-client.ts';
import { isObject, type RpcRequest, type RpcResponse } from './messages.ts';
import { Upstream } from './upstream.ts';

/** One check that must pass before a client can work. */
export interface Check {
  name: 'handshake' | 'trust' | 'version' | 'port' | 'token' | 'connections';
  /** Null: not checked, because an earlier check failed or Trestle is not running. */
  ok: boolean | null;
  detail: string;
}

/**
 * Checks each layer that a call passes. Does not start Trestle. `canStart`: a call would start Trestle, so a missing or
 * stale handshake is not a failure.
 */
export async function examine(home: string, process: string, { canStart = false } = {}): Promise<Check[]> {
  const checks: Check[] = [];
  const say: Say = (name, ok, detail) => void checks.push({ name, ok, detail });
  const handshake = judgeFile(home, canStart, say);
  if (handshake && judgeVersion(handshake, say)) await judgeEndpoint(home, process, canStart, say);
  const made = new Set(checks.map(({ name }) => name));
  return names.map((name) =>
    made.has(name) ? checks.find((check) => check.name === name)! : { name, ok: null, detail: 'not checked' },
  );
}

export function doctorText(checks: Check[]): string {
  const lines = checks.map(({ name, ok, detail }) => {
    const mark = ok === null ? '–' : ok ? 'ok' : 'FAILED';
    return `${mark.padEnd(6)}  ${name.padEnd(11)}  ${detail}`;
  });
  const failed = checks.find(({ ok }) => ok === false);
  const isStopped = checks.some(({ ok }) => ok === null);
  const verdict = failed
    ? failed.name === 'connections'
      ? 'Clients reach Trestle, but cannot use a connection: see "connections".'
      : `Clients cannot reach Trestle: see "${failed.name}".`
    : isStopped
      ? 'Trestle is not running. The first call of a client starts it.'
      : 'Clients can reach Trestle.';
  return `${[...lines, '', verdict].join('\n')}\n`;
}

const names: Check['name'][] = ['handshake', 'trust', 'version', 'port', 'token', 'connections'];

type Say = (name: Check['name'], ok: boolean | null, detail: string) => void;

function judgeFile(home: string, canStart: boolean, say: Say): Handshake | undefined {
  const path = handshakePath(home);
  const reading = readHandshake(path);
  if (!reading.trusted && canStart && reading.reason === 'missing') {
    say('handshake', null, `${path} does not exist: Trestle is not running. ${callStarts}`);
    return undefined;
  }
  if (!reading.trusted && canStart && reading.reason === 'stale') {
    say('handshake', true, path);
    say('trust', null, `${sentence(reading.detail)} ${callStarts}`);
    return undefined;
  }
  if (!reading.trusted && (reading.reason === 'missing' || reading.reason === 'unreadable')) {
    say('handshake', false, `${path}: ${notRunning(reading.detail).message}`);
    return undefined;
  }
  if (!reading.trusted) {
    say('handshake', true, path);
    const remedy =
      reading.reason === 'stale' ? 'Open Trestle.' : `Quit Trestle, delete ${path}, and open Trestle again.`;
    say('trust', false, `${sentence(reading.detail)} ${remedy}`);
    return undefined;
  }
  const { handshake } = reading;
  if (handshake.state === 'disabled') {
    say('handshake', false, turnedOff().message);
    return undefined;
  }
  say('handshake', true, `${path}; the MCP server started ${age(handshake.startedAt)} ago`);
  // On Windows, `readHandshake` checks neither owner nor mode.
  const checked = process.getuid ? 'a regular file of this user that others cannot read' : 'a regular file';
  say('trust', true, `${checked}; process ${handshake.pid} runs`);
  return handshake;
}

const callStarts = 'The first call of a client starts it.';

function judgeVersion(handshake: Handshake, say: Say): boolean {
  if (handshake.state === 'disabled') return false;
  const speaks = handshake.protocolVersions.includes(modernProtocolVersion);
  const { appVersion } = handshake;
  say(
    'version',
    speaks,
    speaks ? `Trestle ${appVersion} speaks ${modernProtocolVersion}` : tooOld(appVersion).message,
  );
  return speaks;
}

async function judgeEndpoint(home: string, process: string, canStart: boolean, say: Say): Promise<void> {
  const gone = notRunning('the app that wrote the handshake no longer listens');
  const app = new AppLink({ home, launch: () => Promise.reject(gone) });
  let isDiscovered = false;
  try {
    const { handshake } = await app.endpoint();
    const upstream = new Upstream(app, process);
    const discovered = await ask(upstream, 'server/discover');
    say('port', true, `127.0.0.1:${handshake.port} proved that it belongs to Trestle`);
    if (!discovered.result) return say('token', false, discovered.error?.message ?? 'no answer');
    say('token', true, `accepted; it is renewed before ${handshake.tokenExpiresAt}`);
    isDiscovered = true;
    say('connections', ...visible(await ask(upstream, 'resources/list')));
  } catch (error) {
    // The token was accepted, so the list of connections failed.
    if (isDiscovered) return say('connections', false, (error as Error).message);
    if (error === gone && canStart) {
      return say('port', null, `The app that wrote the handshake no longer listens. ${callStarts}`);
    }
    const isToken = error instanceof BridgeFailure && error.code === -33009;
    if (isToken) say('port', true, 'proved that it belongs to Trestle');
    say(isToken ? 'token' : 'port', false, (error as Error).message);
  } finally {
    app.close();
  }
}

async function ask(upstream: Upstream, method: string): Promise<RpcResponse> {
  const request: RpcRequest = { jsonrpc: '2.0', id: method, method };
  const client = { ...unknownClient, info: { name: 'trestle-mcp --doctor', version: '1' } };
  let response: RpcResponse = { jsonrpc: '2.0', id: method };
  await upstream.send({
    message: modernize(request, client),
    call: new Call(),
    onMessage: (message) => {
      if (!('method' in message)) response = message;
    },
  });
  return response;
}

/**
 * The outcome of the check "connections". Finds the connections in the list of resources, since the tools answer with
 * text for a model.
 */
function visible({ result, error }: RpcResponse): [ok: boolean, detail: string] {
  if (!Array.isArray(result?.resources))
    return [false, error?.message ?? 'resources/list did not answer with a list'];
  const titles = result.resources.flatMap((one) => connectionTitle(one) ?? []);
  if (titles.length === 0) {
    return [
      false,
      'no connection is visible to clients. Add one, or allow clients in the settings of a saved one: External Clients and AI Policy.',
    ];
  }
  return [true, `${titles.length} visible: ${titles.join(', ')}`];
}

/** Each connection has one resource that lists its tables. The resource's name begins with the connection's name. */
function connectionTitle(resource: unknown): string | undefined {
  if (!isObject(resource) || !String(resource.uri).endsWith('/tables')) return undefined;
  return String(resource.name)
    .replace(/: tables$/, '')
    .replaceAll(/\p{Cc}/gu, '�');
}

function age(startedAt: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(startedAt)) / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
