/** A token as the user knows it: the bridge's own has a name that nobody chose. */
export function tokenLabel(tokenName: string): string {
  return tokenName === bridgeTokenName ? 'The bridge trestle-mcp' : `Token “${tokenName}”`;
}

/** As the core calls it. */
export const bridgeTokenName = '__stdio_bridge__';
