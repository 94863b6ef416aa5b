import { useQuery } from '@tanstack/react-query';
import settingsStyles from '../settings/settings.module.css';
import { useChangeSettings } from '../settings/use-change-settings.ts';
import { api } from '../shared/api.ts';
import type { AppInfo } from '../shared/api-types.ts';
import { ErrorNote } from '../shared/error-note.tsx';
import { useSettings } from '../shared/queries.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { Switch } from '../shared/switch.tsx';
import { TokenList } from './token-list.tsx';

/** The MCP server and the tokens that admit to it. */
export function IntegrationsPage() {
  const settings = useSettings();
  const change = useChangeSettings();
  const info = useQuery({
    queryKey: queryKeys.appInfo,
    queryFn: ({ signal }) => api.app.info.query(undefined, { signal }),
    // The server starts and stops a moment after the setting, and has no event of its own.
    refetchInterval: 2000,
  });
  if (!settings.data || !info.data) {
    const error = settings.error ?? info.error;
    return error ? <ErrorNote error={error} /> : null;
  }
  return (
    <section className={settingsStyles.page} aria-label="Integrations">
      <h2>MCP server</h2>
      <Switch
        label="Enable MCP Server"
        help={describeServer(info.data.mcp)}
        checked={settings.data.mcpEnabled}
        onCheckedChange={(mcpEnabled) => change.mutate({ mcpEnabled })}
      />
      {change.error && <ErrorNote error={change.error} />}
      <TokenList />
    </section>
  );
}

function describeServer(mcp: AppInfo['mcp']): string {
  switch (mcp.state) {
    case 'running':
      return `Running at http://127.0.0.1:${mcp.port}/mcp, for programs on this machine only.`;
    case 'disabled':
      return 'Off. AI clients cannot reach any connection.';
    case 'failed':
      return `Could not start: ${mcp.message}`;
  }
}
