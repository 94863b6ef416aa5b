import { AppError } from '@trestle/core';
import { bridgeCommand, commandLine } from '../client-setup/bridge-command.ts';
import { allGuides, httpGuide } from '../client-setup/catalog.ts';
import { lastBridgeCall, lastCalls } from '../client-setup/last-calls.ts';
import { thesePlaces } from '../client-setup/places.ts';
import { clientConfigProcedures } from './client-config.ts';
import { tokenDraft } from './schemas.ts';
import { administer, procedure, router } from './trpc.ts';

/** Settings → Integrations → Connect a Client. */
export const clientSetupProcedures = router({
  config: clientConfigProcedures,
  /** The setup steps of each client, with texts to copy that contain the path of this installation's bridge. */
  clients: procedure.query(({ ctx }) => {
    const bridge = bridgeCommand();
    const mcp = ctx.app.mcp();
    const guides = allGuides(bridge, thesePlaces('<project>'));
    // The procedure `http` creates a token when the user asks for one. The window puts it in place of `<token>`.
    const http = mcp.state === 'running' ? httpGuide(mcp, '<token>') : null;
    return { bridge: commandLine(bridge), guides, http };
  }),
  http: procedure.input(tokenDraft).mutation(async ({ ctx, input }) => {
    const mcp = ctx.app.mcp();
    if (mcp.state !== 'running') {
      throw new AppError({
        code: 'not_connected',
        message: 'The MCP server is not running',
        hint: mcp.state === 'failed' ? mcp.message : 'Turn on Enable MCP Server in Settings → Integrations.',
      });
    }
    const { token, secret } = await administer(ctx).createToken(input);
    return { token, secret };
  }),
  /**
   * `clients`: the newest call of each client, by the client's id. `bridge`: the newest call through the bridge, by any
   * client. Null if the newest entries of the log contain no such call.
   */
  lastCalls: procedure.query(({ ctx }) => ({
    clients: lastCalls(ctx.core),
    bridge: lastBridgeCall(ctx.core),
  })),
});
