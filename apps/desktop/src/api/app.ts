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
  /** Clients that are connected, or called since the app started; the latest first. */
  clients(): ListedClient[];
  /** Moves the MCP server back to the port of its setting, where that is free again. */
  tryPreferredMcpPort(): Promise<void>;
  quit(): void;
  /** Ends the key of every window, the one that asks included. */
  endWindows(): void;
  /** A page is open for as long as its event stream is; call the answer when it ends. */
  pageOpened(): () => void;
  /** A client asks for a table to be shown; call the answer when the page goes. */
  onOpenTable(listener: (table: TableToOpen) => void): () => void;
  /** Puts a sample's data back as it shipped. Refused for any other connection. */
  resetSample(connectionId: string): Promise<void>;
  /** Searches to try first; none where there is no sample. */
  sampleSearches(): SampleSearch[];
  /** Judged queries for the sample's tables; none where there is no sample. */
  sampleQuerySets(): SampleQuerySet[];
  /** An error nobody expected: for the log. */
  reportError(error: unknown, where: string): void;
}

export const appProcedures = router({
  info: procedure.query(({ ctx }) => ({
    version: ctx.app.version,
    dataDirectory: ctx.app.dataDirectory,
    secrets: ctx.core.secrets,
    mcp: ctx.app.mcp(),
    logProblem: ctx.core.activity.problem(),
  })),
  /** A window opened by a printed link is the person's once the passphrase was typed in it. */
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
    // After the answer is out: it goes to a window that then ends.
    setImmediate(() => ctx.app.endWindows());
  }),
});
