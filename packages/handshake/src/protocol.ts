/** The one revision the bridge speaks upstream. */
export const modernProtocolVersion = '2026-07-28';

/** What the server speaks, newest first; the older two begin with `initialize` and keep a session. */
export const protocolVersions: readonly string[] = [modernProtocolVersion, '2025-11-25', '2025-06-18'];

export const mcpPath = '/mcp';

/** Where the endpoint proves that it knows the handshake's secret. */
export const proofPath = '/trestle-proof';
export const challengeHeader = 'trestle-challenge';
export const proofHeader = 'trestle-proof';

/** Tells bridge processes apart, which all carry the same token. */
export const bridgeProcessHeader = 'trestle-bridge-process';
