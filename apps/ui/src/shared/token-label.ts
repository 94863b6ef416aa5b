/** A token's name for the user. The bridge's own token is described, since no user chose its name. */
export function tokenLabel(tokenName: string): string {
  return tokenName === bridgeTokenName ? 'The bridge trestle-mcp' : `Token “${tokenName}”`;
}

/** The core's name for the bridge's own token. */
export const bridgeTokenName = '__stdio_bridge__';
