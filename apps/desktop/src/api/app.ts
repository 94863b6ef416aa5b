import type { McpStatus } from '@trestle/mcp-server';
import { z } from 'zod';
import type { ListedClient } from '../client-list.ts';
import type { SampleQuerySet } from '../samples/sample-query-sets.ts';
import type { SampleSearch } from '../samples/sample-searches.ts';
import { spaceUse } from '../space.ts';
import type { TableToOpen } from '../table-opener.ts';
import { procedure, router } from './trpc.ts';

export interface AppInfo {
  version: string;
  dataDirectory: string;
  /** The MCP server's state, for Settings → Integrations. */
  mcp(): McpStatus;
  /** Clients that are connected, or that called since the app started. Most recent first. */
  clients(): ListedClient[];
  /** Moves the MCP server back to the port of its setting, if that is free again. */
  tryPreferredMcpPort(): Promise<void>;
  quit(): void;
  /** Ends the key of every window, including the one that asks. */
  endWindows(): void;
  /** A page is open as long as its event stream. Call the returned function when the stream ends. */
  pageOpened(): () => void;
  /** Calls back when a client asks to show a table. Call the returned function when the page closes. */
  onOpenTable(listener: (table: TableToOpen) => void): () => void;
  /** Restores a sample's original data. Refused for any other connection. */
  resetSample(connectionId: string): Promise<void>;
  /** Suggested searches. Empty if there is no sample. */
  sampleSearches(): SampleSearch[];
  /** Judged queries for the sample's tables. Empty if there is no sample. */
  sampleQuerySets(): SampleQuerySet[];
  /** Logs an unexpected error. */
  reportError(error: unknown, where: string): void;
}

export const appProcedures = router({
  info: procedure.query(({ ctx }) => ({
    version: ctx.app.version,
    dataDirectory: ctx.app.dataDirectory,
    secrets: ctx.core.secrets,
    mcp: ctx.app.mcp(),
    logProblem: ctx.core.activity.problem(),
    damage: ctx.core.damage.unread(),
  })),
  dismissDamage: procedure.mutation(({ ctx }) => ctx.core.damage.dismiss()),
  /** A window from a printed link counts as the person's once the passphrase was typed in it. */
  unlock: procedure
    .input(z.strictObject({ passphrase: z.string().max(1000) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.core.passphrase.verify(input.passphrase);
      ctx.window.unlock();
    }),
  clearMaps: procedure.mutation(({ ctx }) => ctx.core.maps.clear()),
  space: procedure.query(({ ctx }) => spaceUse(ctx.core, ctx.app.dataDirectory)),
  tryPreferredMcpPort: procedure.mutation(({ ctx }) => ctx.app.tryPreferredMcpPort()),
  quit: procedure.mutation(({ ctx }) => {
    ctx.app.quit();
  }),
  endWindows: procedure.mutation(({ ctx }) => {
    // After the answer was sent: its window closes then.
    setImmediate(() => ctx.app.endWindows());
  }),
});
