import { procedure, router } from './trpc.ts';

export interface AppInfo {
  version: string;
  dataDirectory: string;
  /** The MCP server's state, for Settings → Integrations. */
  mcp(): { state: 'running'; port: number } | { state: 'disabled' } | { state: 'failed'; message: string };
  quit(): void;
}

export const appProcedures = router({
  info: procedure.query(({ ctx }) => ({
    version: ctx.app.version,
    dataDirectory: ctx.app.dataDirectory,
    secrets: ctx.core.secrets,
    mcp: ctx.app.mcp(),
  })),
  quit: procedure.mutation(({ ctx }) => {
    ctx.app.quit();
  }),
});
