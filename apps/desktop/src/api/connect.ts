import { AppError, type Core } from '@trestle/core';
import { z } from 'zod';
import { bridgeCommand, commandLine } from '../connect/bridge-command.ts';
import { allGuides, httpGuide } from '../connect/catalog.ts';
import { lastBridgeCall, lastCalls } from '../connect/last-calls.ts';
import { thesePlaces } from '../connect/places.ts';
import { connectConfigProcedures } from './connect-config.ts';
import { tokenDraft } from './schemas.ts';
import { administer, procedure, router } from './trpc.ts';

/** Settings → Integrations → Connect a Client. */
export const connectProcedures = router({
  config: connectConfigProcedures,
  /** Each client with its numbered steps and what is to be copied, this install's bridge in it. */
  clients: procedure.query(({ ctx }) => {
    const bridge = bridgeCommand();
    const mcp = ctx.app.mcp();
    const guides = allGuides(bridge, thesePlaces('<project>'));
    // The token is minted by `http`, once the user asks for it.
    const http = mcp.state === 'running' ? httpGuide(portsOf(ctx.core, mcp.port), '<token>') : null;
    return { bridge: commandLine(bridge), guides, http };
  }),
  http: procedure.input(tokenDraft).mutation(async ({ ctx, input }) => {
    const mcp = ctx.app.mcp();
    if (mcp.state !== 'running') {
      throw new AppError({
        code: 'not_connected',
        message: 'The MCP server is not running',
        hint: 'Turn on Enable MCP Server in Settings → Integrations.',
      });
    }
    const { token, secret } = await administer(ctx).createToken(input);
    return { token, guide: httpGuide(portsOf(ctx.core, mcp.port), secret) };
  }),
  /** By client id its newest call, or null: a client is connected once the first has arrived. */
  lastCalls: procedure
    .input(z.strictObject({ since: z.iso.datetime() }).optional())
    .query(({ ctx, input }) => {
      const isRecent = (at: string) => !input || Date.parse(at) >= Date.parse(input.since);
      const calls = Object.entries(lastCalls(ctx.core)).map(
        ([id, call]) => [id, call && isRecent(call.at) ? call : null] as const,
      );
      const newest = lastBridgeCall(ctx.core);
      return { clients: Object.fromEntries(calls), bridge: newest && isRecent(newest.at) ? newest : null };
    }),
});

function portsOf(core: Core, port: number) {
  return { port, preferred: core.settings.get().mcpPort };
}
