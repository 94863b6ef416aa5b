/** A token's name for the user. The bridge's own token is described, since no user chose its name. */
export function tokenLabel(tokenName: string): string {
  if (tokenName === commandLineName) return 'The command line';
  return tokenName === bridgeTokenName ? 'The bridge trestle-mcp' : `Token “${tokenName}”`;
}

/** The core's name for the caller of `trestle query`. */
const commandLineName = '__command_line__';

/** The core's name for the bridge's own token. */
export const bridgeTokenName = '__stdio_bridge__';
