import { Suspense, useEffect, useState } from 'react';
import styles from './app.module.css';
import { Button } from './controls/buttons/button.tsx';
import { connectionTint } from './controls/connection-sign/connection-color.ts';
import { ErrorBoundary } from './controls/loading/error-boundary.tsx';
import { loadPart } from './controls/loading/load-part.ts';
import { EmptyState } from './controls/marks/empty-state.tsx';
import { TooltipProvider } from './controls/popups/tooltip.tsx';
import { classNames } from './controls/styles/class-names.ts';
import { useReach } from './data/events/events.ts';
import { ErrorNote } from './data/messages/error-note.tsx';
import { ToastArea } from './data/messages/toast.tsx';
import { useConnections, useSettings } from './data/queries/queries.ts';
import { useDensitySetting } from './data/settings/density.ts';
import { useTheme } from './data/settings/theme.ts';
import { useDialogs } from './data/window/open-dialog.ts';
import { useWorkspace, workspace } from './data/window/workspace-store.ts';
import { ApprovalsDialog } from './panels/approvals/approvals-dialog.tsx';
import { Welcome } from './panels/welcome/welcome.tsx';
import { CodeForm } from './shell/code-form.tsx';
import { DamageBanner } from './shell/damage-banner.tsx';
import { Dialogs } from './shell/dialogs.tsx';
import { LogBanner } from './shell/log-banner.tsx';
import { useOpenRequests } from './shell/open-requests.ts';
import { PassphraseDialog } from './shell/passphrase-dialog.tsx';
import { Rail } from './shell/rail.tsx';
import { ReachBanner } from './shell/reach-banner.tsx';
import { useShortcuts } from './shell/shortcuts.ts';
import { UnstoredBanner } from './shell/unstored-banner.tsx';
import { useWindowTitle } from './shell/use-window-title.ts';
import { ConnectionWorkspace } from './workspace/connection-workspace.tsx';
import { rememberWorkspace } from './workspace/remember-workspace.ts';

const SettingsPage = loadPart(() => import('./shell/settings-page.tsx'));

export function App() {
  useTheme();
  useDensitySetting();
  useShortcuts();
  useWindowTitle();
  const start = useStart();
  const color = useCurrentColor();
  return (
    <TooltipProvider delay={500}>
      <div className={classNames(styles.app, color && styles.tinted)} style={connectionTint(color)}>
        {start.state !== 'locked' && <ReachBanner />}
        {start.state === 'ready' && <LogBanner />}
        <UnstoredBanner />
        {start.state === 'ready' && <DamageBanner />}
        {start.state === 'ready' && (
          <div className={styles.window}>
            <Rail />
            <ErrorBoundary>
              <Pages />
            </ErrorBoundary>
          </div>
        )}
        {start.state === 'locked' && (
          <main className={styles.failed}>
            <EmptyState title="Open Trestle from its launcher" action={<CodeForm />}>
              This page opens through a fresh link, and a link works once. Start Trestle again, or type the
              code that <code>trestle --no-window</code> prints in a terminal.
            </EmptyState>
          </main>
        )}
        {start.state === 'failed' && (
          <main className={styles.failed}>
            <EmptyState
              title="Trestle could not be loaded"
              action={<Button onClick={start.retry}>Try again</Button>}
            >
              <ErrorNote error={start.error} />
            </EmptyState>
          </main>
        )}
      </div>
      {start.state === 'ready' && <Dialogs />}
      {start.state === 'ready' && <ApprovalsDialog />}
      <PassphraseDialog />
      <ToastArea />
    </TooltipProvider>
  );
}

/**
 * After its first visit, an open connection stays mounted while another page is visible, with its results, scroll
 * positions and staged edits.
 */
function Pages() {
  useOpenRequests();
  const workspaceState = useWorkspace();
  const { open } = workspaceState;
  const settings = useDialogs((state) => state.settings);
  /** The visible connection. Null: the welcome page is visible. Undefined: Settings is visible. */
  const current = settings === null ? workspaceState.current : undefined;
  const connections = useConnections().data;
  const [visited, setVisited] = useState<string[]>([]);
  useEffect(() => {
    if (current) setVisited((before) => (before.includes(current) ? before : [...before, current]));
  }, [current]);
  useEffect(() => {
    if (connections) workspace.keepConnections(connections.map(({ id }) => id));
  }, [connections]);

  return (
    <>
      {settings !== null && (
        <Suspense>
          <SettingsPage page={settings} />
        </Suspense>
      )}
      {current === null && <Welcome />}
      {connections
        ?.filter(({ id }) => open.includes(id) && (id === current || visited.includes(id)))
        .map((connection) => (
          <ConnectionWorkspace
            key={connection.id}
            connection={connection}
            isCurrent={connection.id === current}
          />
        ))}
    </>
  );
}

/** The colour of the visible connection. It tints the top of the window. */
function useCurrentColor(): string | null {
  const current = useWorkspace((state) => state.current);
  const settings = useDialogs((state) => state.settings);
  const connections = useConnections().data;
  if (settings !== null) return null;
  return connections?.find(({ id }) => id === current)?.color ?? null;
}

/**
 * Restores the last workspace before the pages appear. If a page could change the workspace earlier, its change would
 * overwrite the stored workspace.
 */
function useStart() {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ ready: boolean; error: unknown }>({ ready: false, error: null });
  const settings = useSettings();
  const { reach } = useReach();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt runs the effect again
  useEffect(() => {
    let stop: (() => void) | undefined;
    let cancelled = false;
    rememberWorkspace().then(
      (end) => {
        if (cancelled) return end();
        stop = end;
        setResult({ ready: true, error: null });
      },
      (error: unknown) => !cancelled && setResult({ ready: false, error }),
    );
    return () => {
      cancelled = true;
      stop?.();
    };
  }, [attempt]);

  const failed = result.error !== null;
  useEffect(() => {
    if (failed && reach === 'connected') setAttempt((count) => count + 1);
  }, [failed, reach]);

  const retry = () => {
    void settings.refetch();
    setAttempt((count) => count + 1);
  };
  if (result.ready) return { state: 'ready' as const };
  if (failed && reach === 'refused') return { state: 'locked' as const };
  return failed ? { state: 'failed' as const, error: result.error, retry } : { state: 'starting' as const };
}
