import type { IncomingMessage } from 'node:http';
import type { ConnectService, SampleMethod } from '../connect/service.ts';
import { checkKey } from './authenticate.ts';
import { readBytes } from './body.ts';
import { refusal } from './connect-refusal.ts';
import type { RouteAnswer } from './router.ts';

const mount = '/v1/grpc-web/';
const sampleMethod = /^\/v1\/grpc-web\/weaviate\.v1\.Weaviate\/(Search|Aggregate|TenantsGet)$/;
const binary = 'application/proto';

export function isConnectPath(path: string): boolean {
  return path.startsWith(mount);
}

interface ConnectSettings {
  service: () => Promise<ConnectService>;
  keyDigest: string | undefined;
  maximumMessageSize: number;
}

/** Weaviate's Connect interface, with its answers to requests that are not Connect. The health method needs no key. */
export async function answerConnect(
  request: IncomingMessage,
  path: string,
  { service, keyDigest, maximumMessageSize }: ConnectSettings,
): Promise<RouteAnswer> {
  const { method, headers } = request;
  if (method !== 'POST') return { status: 405, type: plainText, body: 'Method Not Allowed' };
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isConnect =
    headers['connect-protocol-version'] === '1' && [binary, 'application/json'].includes(type);
  if (isConnect && path === `${mount}grpc.health.v1.Health/Check`) {
    if (type !== binary) return { status: 200, body: { status: 'SERVING' } };
    return { status: 200, type, body: Uint8Array.of(0x08, 0x01) };
  }
  const name = sampleMethod.exec(path)?.[1] as SampleMethod | undefined;
  if (!isConnect || name === undefined) return { status: 404, type: plainText, body: 'Not Found' };
  try {
    checkKey(headers.authorization, keyDigest);
  } catch (error) {
    const said = keyDigest === undefined ? (error as Error).message : 'unauthorized: invalid api key';
    return refusal(500, 'unknown', `extract auth: ${said}`);
  }
  const bytes = await readBytes(request, maximumMessageSize);
  if (bytes === null) {
    return refusal(429, 'resource_exhausted', `max buffer size (${maximumMessageSize}) exceeded`);
  }
  return (await service()).call(name, { type, bytes });
}

const plainText = 'text/plain; charset=utf-8';
