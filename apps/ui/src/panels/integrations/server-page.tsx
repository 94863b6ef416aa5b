import { useQuery } from '@tanstack/react-query';
import { Button } from '../../controls/buttons/button.tsx';
import { Switch } from '../../controls/fields/switch.tsx';
import { Facts } from '../../controls/marks/facts.tsx';
import { api } from '../../data/api/api.ts';
import type { AppInfo } from '../../data/api/api-types.ts';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { ErrorNote, Note } from '../../data/messages/error-note.tsx';
import { showError, showToast } from '../../data/messages/toast.tsx';
import { queryClient, useSettings } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { NumberSettingField } from '../settings/number-setting.tsx';
import { mcpLimits, mcpPort, statementTimeout } from '../settings/number-settings.ts';
import { useChangeSettings } from '../settings/use-change-settings.ts';
import styles from './integrations.module.css';
import { ServerProblem } from './server-problem.tsx';

/** Turns the MCP server on or off. Shows its address and the limits for clients. */
export function ServerPage() {
  const settings = useSettings();
  const change = useChangeSettings();
  const info = useAppInfo();
  if (!settings.data || !info.data) {
    const error = settings.error ?? info.error;
    return error ? <ErrorNote error={error} /> : null;
  }
  const { mcp } = info.data;
  return (
    <div className={styles.page}>
      <Switch
        label="Enable MCP Server"
        help="AI clients on this machine can use your connections, as far as each connection allows it."
        checked={settings.data.mcpEnabled}
        onCheckedChange={(mcpEnabled) => change.mutate({ mcpEnabled })}
      />
      <ServerState mcp={mcp} />
      {change.error && <ErrorNote error={change.error} />}
      <div className={styles.fields}>
        <NumberSettingField setting={mcpPort} settings={settings.data} change={change} />
        <NumberSettingField setting={statementTimeout} settings={settings.data} change={change} />
      </div>
      <h2>Limits</h2>
      <div className={styles.fields}>
        {mcpLimits.map((setting) => (
          <NumberSettingField key={setting.key} setting={setting} settings={settings.data} change={change} />
        ))}
      </div>
    </div>
  );
}

export function useAppInfo() {
  return useQuery({
    queryKey: queryKeys.appInfo,
    queryFn: ({ signal }) => api.app.info.query(undefined, { signal }),
    // Polls: the server starts or stops a moment after the setting changes, and no event reports its new state.
    refetchInterval: 2000,
  });
}

/**
 * Moves the server to the preferred port if that port is free. HTTP clients still have the old port, so the user decides
 * when to move.
 */
async function tryPreferredPort(port: number): Promise<void> {
  try {
    const isFree = await api.app.tryPreferredMcpPort.mutate();
    if (!isFree) showToast({ title: `Port ${port} is still taken` });
    await queryClient.invalidateQueries({ queryKey: queryKeys.appInfo });
  } catch (error) {
    showError('The MCP server did not change its port', error);
  }
}

function ServerState({ mcp }: { mcp: AppInfo['mcp'] }) {
  if (mcp.state === 'failed') return <ServerProblem mcp={mcp} />;
  if (mcp.state === 'disabled') {
    return <Note level="info">Off. AI clients cannot reach any connection.</Note>;
  }
  const { preferred } = mcp;
  const address = `http://127.0.0.1:${mcp.port}/mcp`;
  return (
    <>
      <Facts>
        <dt>State</dt>
        <dd>Running, for programs on this machine only</dd>
        <dt>Address</dt>
        <dd>
          <div className={styles.copied}>
            <code>{address}</code>
            <CopyButton compact text={address} what="address" />
          </div>
        </dd>
        <dt>Port</dt>
        <dd>
          <div className={styles.copied}>
            <code>{mcp.port}</code>
            <CopyButton compact text={String(mcp.port)} what="port" />
          </div>
        </dd>
      </Facts>
      <ServerProblem mcp={mcp} />
      {mcp.port !== preferred && (
        <Note
          level="warning"
          actions={
            <Button size="small" onClick={() => tryPreferredPort(preferred)}>
              Try {preferred} again
            </Button>
          }
        >
          Port {preferred} was taken, so the server listens on {mcp.port} and keeps that port while it can.
          Clients that connect through trestle-mcp find the port by themselves.
        </Note>
      )}
    </>
  );
}
