/** A token's name for the user. Nobody chose the name of the bridge's own token. */
export function tokenLabel(tokenName: string): string {
  return tokenName === bridgeTokenName ? 'The bridge trestle-mcp' : `Token “${tokenName}”`;
}

/** The core's name for the bridge's own token. */
export const bridgeTokenName = '__stdio_bridge__';
