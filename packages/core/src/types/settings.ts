export interface SettingsValues {
  theme: 'system' | 'light' | 'dark';
  /** How close the rows of grids and lists stand. */
  density: 'compact' | 'normal' | 'comfortable';
  mcpEnabled: boolean;
  mcpPort: number;
  statementTimeoutSeconds: number;
  pageSize: number;
  /** For each token; for the bridge's token, for each bridge process. */
  mcpRequestsPerMinute: number;
  mcpConcurrentRequests: number;
  /** So many failed authentications within the window lock out for the time after it. */
  mcpLockoutAttempts: number;
  mcpLockoutWindowSeconds: number;
  mcpLockoutSeconds: number;
  mcpBodyMegabytes: number;
  mcpSockets: number;
  /** How many statements of each connection the history keeps. */
  historyEntries: number;
  /** How much each of these may take on the disk; the oldest goes first. */
  historyMegabytes: number;
  activityMegabytes: number;
  exportsMegabytes: number;
  logsMegabytes: number;
  mapsMegabytes: number;
}

export interface Settings {
  get(): SettingsValues;
  update(patch: Partial<SettingsValues>): SettingsValues;
}

export interface UiState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** The windows' memory, in pieces that each have a version: a tab, the staged edits of a table, the layout. */
export interface WindowRecords {
  all(): WindowRecord[];
  get(key: string): WindowRecord | null;
  /**
   * Writes only over the version that the writer knows; 0: there is none yet. A writer that knows an older one gets
   * the newer record instead. A null value deletes. `connectionId`: the record goes with that connection.
   */
  write(change: WindowRecordChange): WindowRecordAnswer;
}

export interface WindowRecord {
  key: string;
  version: number;
  value: unknown;
}

export interface WindowRecordChange extends WindowRecord {
  connectionId?: string;
  /** The writer's own name for this write. */
  id?: string;
  /** The writer's earlier write, still under way. This one may replace it, whichever of the two comes first. */
  after?: string;
}

export type WindowRecordAnswer =
  /** Version 0: it was deleted, or its connection is gone. */
  { written: true; version: number } | { written: false; current: WindowRecord | null };

export interface SecretsInfo {
  /** Where secrets are kept, and why not in the keychain where they are not. */
  store: 'keychain' | 'file';
  reason: string | null;
}
