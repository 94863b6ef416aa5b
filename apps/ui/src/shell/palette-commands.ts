import { useQueries } from '@tanstack/react-query';
import { api } from '../data/api/api.ts';
import type { Connection, SessionStatus } from '../data/api/api-types.ts';
import { closeConnection } from '../data/connections/close-connection.ts';
import { connect, disconnect } from '../data/connections/connect.ts';
import { useConnections, useDrivers, useSettings, useStatuses } from '../data/queries/queries.ts';
import { queryKeys } from '../data/queries/query-keys.ts';
import { readSchemaAgain } from '../data/queries/read-schema-again.ts';
import { densities, themes } from '../data/settings/looks.ts';
import { dialogs, type SettingsPage } from '../data/window/open-dialog.ts';
import { useTabCommands } from '../data/window/tab-commands.ts';
import { tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { exportConnections } from '../panels/connection-file/export-connections.ts';
import { openSavedQuery } from '../panels/query-editor/query-state.ts';
import { savedQueries, useDeletedQuery } from '../panels/query-editor/saved-queries.ts';
import { useChangeSettings } from '../panels/settings/use-change-settings.ts';
import { openDesign } from '../panels/table-design/open-design.ts';
import { openTable } from '../table-tab/index.ts';
import { toggleSidebar, useSidebarPlace } from '../workspace/sidebar-place.ts';
import { reopenLast, tabKinds } from '../workspace/tab-kinds.ts';
import { recentTables } from './recent-tables.ts';

export interface Command {
  id: string;
  label: string;
  detail?: string;
  shortcut?: string;
  run(): void;
}

export interface CommandGroup {
  value: string;
  items: Command[];
}

/**
 * All entries of the palette. Among the tables, those of the current connection come first. Before the user types, the
 * tables that were open last stand above all.
 */
export function usePaletteCommands(typed: string): CommandGroup[] {
  const looks = useLookCommands();
  const state = useWorkspace();
  const tab = useTabCommands();
  const deleted = useDeletedQuery((deletion) => deletion.deleted);
  const connections = useConnections().data ?? [];
  const statuses = useStatuses().data ?? [];
  const drivers = useDrivers().data ?? [];
  const { current } = state;
  const sidebar = useSidebarPlace();
  const open = connections
    .filter(({ id }) => state.open.includes(id))
    .sort((a, b) => Number(b.id === current) - Number(a.id === current));
  const tables = useQueries({
    queries: open.map(({ id }) => ({
      queryKey: queryKeys.tables(id),
      queryFn: () => api.tables.list.query({ connectionId: id }),
      enabled: statuses.some((status) => status.connectionId === id && status.state === 'connected'),
    })),
  });

  // A driver may have its own word for a table.
  const termOf = (driver: string) => drivers.find(({ id }) => id === driver)?.terms.table[1] ?? 'tables';
  const tableCommands = open.flatMap((connection, index) =>
    (tables[index]?.data ?? []).map(({ name }) => ({
      term: termOf(connection.driver),
      id: `${connection.id} ${name}`,
      label: name,
      detail: connection.name,
      run: () => openTable(connection.id, name),
    })),
  );
  const withEditor = open.filter(
    ({ driver }) => drivers.find(({ id }) => id === driver)?.editor.language !== 'none',
  );
  const actions = tabKinds.flatMap(({ kind, create }) =>
    open.flatMap(({ id, name, driver }): Command[] => {
      if (!create?.isOffered(drivers.find((manifest) => manifest.id === driver))) return [];
      const shortcut = id === current ? create.shortcut : undefined;
      return [
        { id: `${kind} ${id}`, label: create.label, detail: name, shortcut, run: () => create.open(id) },
      ];
    }),
  );
  for (const { id, name, driver } of open) {
    const status = statuses.find(({ connectionId }) => connectionId === id);
    if (!status?.capabilities.includes('planDesign')) continue;
    const [term = 'table'] = drivers.find((manifest) => manifest.id === driver)?.terms.table ?? [];
    actions.push({ id: `design ${id}`, label: `New ${term}`, detail: name, run: () => openDesign(id) });
  }
  if (current && tabsOf(state, current).closed.length > 0) {
    const run = () => workspace.apply((now) => reopenLast(now, current));
    actions.push({ id: 'reopen', label: 'Reopen closed tab', shortcut: 'Alt+Shift+T', run });
  }
  if (deleted) {
    actions.push({
      id: 'bring back',
      label: `Bring back the query “${deleted.name}”`,
      run: () => savedQueries.bringBack(),
    });
  }
  const inView = connections.find(({ id }) => id === current);
  if (inView) {
    const label = sidebar === 'hidden' ? 'Show sidebar' : 'Hide sidebar';
    actions.push({ id: 'sidebar', label, shortcut: 'Mod+B', run: toggleSidebar });
    actions.push(...connectionCommands(inView, statuses));
  }
  actions.push(...windowCommands(), ...looks);
  const recent = recentTables(state).flatMap(({ connectionId, table }) =>
    tableCommands
      .filter(({ id }) => id === `${connectionId} ${table}`)
      .map((command) => ({ ...command, id: `recent ${command.id}` })),
  );
  const groups: CommandGroup[] = [
    { value: 'Recent', items: typed === '' ? recent : [] },
    ...[...Map.groupBy(tableCommands, ({ term }) => term)].map(([term, items]) => ({
      value: `${term.charAt(0).toUpperCase()}${term.slice(1)}`,
      items,
    })),
    {
      value: 'Saved queries',
      items: withEditor.flatMap((connection) =>
        savedQueries.list(connection.id).map((query) => ({
          id: `saved ${connection.id} ${query.id}`,
          label: query.name,
          detail: connection.name,
          run: () => openSavedQuery(connection.id, query),
        })),
      ),
    },
    { value: tab.title, items: tab.commands.map((command) => ({ ...command, id: `tab ${command.id}` })) },
    { value: 'Actions', items: actions },
    {
      value: 'Connections',
      items: connections.map(({ id, name }) => ({
        id: `connection ${id}`,
        label: name,
        run: () => workspace.showConnection(id),
      })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function useLookCommands(): Command[] {
  const { data: settings } = useSettings();
  const change = useChangeSettings();
  const now = (isSet: boolean) => (isSet ? { detail: 'now' } : {});
  return [
    ...themes.map(({ value, label }) => ({
      id: `theme ${value}`,
      label: `Theme: ${label}`,
      ...now(settings?.theme === value),
      run: () => change.mutate({ theme: value }),
    })),
    ...densities.map(({ value, label }) => ({
      id: `density ${value}`,
      label: `Density: ${label}`,
      ...now(settings?.density === value),
      run: () => change.mutate({ density: value }),
    })),
  ];
}

/** The commands for the connection in view. */
function connectionCommands(connection: Connection, statuses: SessionStatus[]): Command[] {
  const { id, name } = connection;
  const status = statuses.find(({ connectionId }) => connectionId === id);
  const isOpen = status?.state === 'connected' || status?.state === 'reconnecting';
  return [
    { id: 'home', label: 'Home of the connection', detail: name, run: () => workspace.showHome(id) },
    ...(isOpen
      ? [
          ...(status.state === 'connected'
            ? [{ id: 'refresh', label: 'Refresh', detail: name, run: () => readSchemaAgain(id) }]
            : []),
          { id: 'disconnect', label: 'Disconnect', detail: name, run: () => disconnect(id) },
        ]
      : [{ id: 'connect', label: 'Connect', detail: name, run: () => connect(id) }]),
    { id: 'edit', label: 'Edit connection', detail: name, run: () => dialogs.editConnection(connection) },
    {
      id: 'duplicate',
      label: 'Duplicate connection',
      detail: name,
      run: () => dialogs.duplicateConnection(connection),
    },
    { id: 'close', label: 'Close connection', detail: name, run: () => closeConnection(id) },
  ];
}

function windowCommands(): Command[] {
  const page = (id: SettingsPage, label: string): Command => ({
    id,
    label,
    run: () => dialogs.showSettings(id),
  });
  return [
    { id: 'connection', label: 'New connection', run: dialogs.newConnection },
    { id: 'import', label: 'Import connections', run: () => dialogs.importConnections(true) },
    { id: 'export', label: 'Export connections', run: () => void exportConnections() },
    { id: 'jobs', label: 'Jobs', run: () => dialogs.showJobs(true) },
    { id: 'welcome', label: 'All connections', run: () => workspace.showConnection(null) },
    { ...page('general', 'Settings'), shortcut: 'Mod+,' },
    page('integrations', 'Integrations and tokens'),
    page('plugins', 'Plugins'),
    page('storage', 'Storage'),
    page('about', 'About Trestle'),
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      shortcut: 'Mod+/',
      run: () => dialogs.showShortcuts(true),
    },
    { id: 'quit', label: 'Quit Trestle', run: () => dialogs.askToQuit(true) },
  ];
}
