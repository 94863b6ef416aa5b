/** The keys of most cached data. Events invalidate data by a prefix of its key. */
export const queryKeys = {
  connections: ['connections'] as const,
  drivers: ['drivers'] as const,
  plugins: (part: 'installed' | 'listed' | 'registry') => ['plugins', part] as const,
  sessions: ['sessions'] as const,
  settings: ['settings'] as const,
  appInfo: ['appInfo'] as const,
  space: ['space'] as const,
  sampleSearches: ['sampleSearches'] as const,
  sampleQuerySets: ['sampleQuerySets'] as const,
  tokens: ['tokens'] as const,
  approvals: ['approvals'] as const,
  allowing: ['approvals', 'allowing'] as const,
  jobs: ['jobs'] as const,
  job: (id: string) => ['jobs', id] as const,
  grantedApprovals: ['approvals', 'granted'] as const,
  activity: ['activity'] as const,
  clients: ['clients'] as const,
  connectGuides: ['connectGuides'] as const,
  history: (connectionId: string, ...rest: unknown[]) => ['history', connectionId, ...rest] as const,
  // The next three are the schema: the list of tables, the schema for the editor's completion and the columns
  // of one table.
  tables: (connectionId: string) => ['schema', connectionId, 'tables'] as const,
  editorSchema: (connectionId: string) => ['schema', connectionId, 'editor'] as const,
  /** The form for new tables, and plans of designs. They depend on the schema. */
  design: (connectionId: string, ...rest: unknown[]) => ['schema', connectionId, 'design', ...rest] as const,
  describe: (connectionId: string, table: string) => ['schema', connectionId, 'table', table] as const,
  /** Data that depends on the rows of one table, such as a page or a count. `rest` says which data. */
  rows: (connectionId: string, table: string, ...rest: unknown[]) =>
    ['rows', connectionId, table, ...rest] as const,
};

/** Whether a key belongs to the given table. The table's name may also occur elsewhere in a key, as in a filter. */
export function isOfTable(queryKey: readonly unknown[], connectionId: string, table: string): boolean {
  const starts = [queryKeys.rows(connectionId, table), queryKeys.describe(connectionId, table)];
  return starts.some((start) => start.every((part, at) => part === queryKey[at]));
}
