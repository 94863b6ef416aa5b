/** The protocol revision that the bridge speaks to the app. */
export const modernProtocolVersion = '2026-07-28';

/**
 * The revisions that the server speaks, newest first. The older two begin with `initialize` and keep an MCP session.
 */
export const protocolVersions: readonly string[] = [modernProtocolVersion, '2025-11-25', '2025-06-18'];

/** With this member of `_meta`, the bridge says which revision its older client speaks. */
export const spokenVersionKey = 'trestle/spokenVersion';

export const mcpPath = '/mcp';

/** The path where the endpoint proves that it knows the handshake's secret. */
export const proofPath = '/trestle-proof';
export const challengeHeader = 'trestle-challenge';
export const proofHeader = 'trestle-proof';

/** Identifies a bridge process. The token cannot do this, because all bridges send the same token. */
export const bridgeProcessHeader = 'trestle-bridge-process';
