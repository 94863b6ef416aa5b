import { modernProtocolVersion, spokenVersionKey } from '@trestle/handshake';
import { isObject, metaKey, type Params, type RpcRequest, type RpcResponse } from './messages.ts';

/** An older client, as it described itself in `initialize`. */
export interface LegacyClient {
  info: unknown;
  /** The protocol version that it speaks with this bridge. */
  version: string;
  capabilities: Params;
}

const stdioVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

export const unknownClient: LegacyClient = {
  version: modernProtocolVersion,
  info: { name: 'unknown client', version: '0' },
  capabilities: {},
};

export function clientFrom(initialize: RpcRequest): LegacyClient {
  const { clientInfo, capabilities } = initialize.params ?? {};
  return {
    info: clientInfo ?? unknownClient.info,
    version: spokenVersion(initialize),
    capabilities: isObject(capabilities) ? capabilities : {},
  };
}

/** Converts a request of an older client to MCP revision 2026-07-28, where each request names its sender. */
export function modernize(message: RpcRequest, client: LegacyClient): RpcRequest {
  const meta = message.params?._meta;
  const _meta = {
    ...(isObject(meta) && meta),
    [metaKey.protocolVersion]: modernProtocolVersion,
    [metaKey.clientInfo]: client.info,
    [spokenVersionKey]: client.version,
    [metaKey.clientCapabilities]: client.capabilities,
  };
  return { ...message, params: { ...message.params, _meta } };
}

/** Removes the fields that revision 2026-07-28 added to answers. */
export function antiquate(response: RpcResponse): RpcResponse {
  if (!response.result) return response;
  const { resultType, ttlMs, cacheScope, _meta, ...result } = response.result;
  if (!isObject(_meta)) return { ...response, result };
  const { [metaKey.serverInfo]: _, ...meta } = _meta;
  return { ...response, result: Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result };
}

/** The answer to `initialize`, from the app's answer to `server/discover`. */
export function initializeResult(initialize: RpcRequest, discovered: Params): Params {
  const meta = isObject(discovered._meta) ? discovered._meta : {};
  return {
    protocolVersion: spokenVersion(initialize),
    capabilities: discovered.capabilities ?? {},
    serverInfo: meta[metaKey.serverInfo] ?? { name: 'trestle', version: '0' },
    ...(discovered.instructions !== undefined && { instructions: discovered.instructions }),
  };
}

/** A client may reject a version that it does not know. It knows the version that it asked for. */
function spokenVersion(initialize: RpcRequest): string {
  const asked = initialize.params?.protocolVersion;
  return stdioVersions.find((version) => version === asked) ?? stdioVersions[0];
}
