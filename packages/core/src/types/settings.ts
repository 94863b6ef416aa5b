export interface SettingsValues {
  theme: 'system' | 'light' | 'dark';
  /** The row height of grids and lists. */
  density: 'compact' | 'normal' | 'comfortable';
  mcpEnabled: boolean;
  mcpPort: number;
  statementTimeoutSeconds: number;
  pageSize: number;
  /**
   * This limit and the next apply per token. For the bridge's token they apply per bridge process, and all
   * bridge processes together may use 16 times as much.
   */
  mcpRequestsPerMinute: number;
  mcpConcurrentRequests: number;
  /** This many requests with an unknown token within `mcpLockoutWindowSeconds` cause a lockout. */
  mcpLockoutAttempts: number;
  mcpLockoutWindowSeconds: number;
  mcpLockoutSeconds: number;
  mcpBodyMegabytes: number;
  mcpSockets: number;
  /**
   * How many times its reach limit a connection allows in an hour, and how many new rows. Per token, and for all bridge
   * processes together. Beyond it, the next change asks the user.
   */
  mcpReachPerHour: number;
  mcpNewRowsPerHour: number;
  /** How many statements the history keeps per connection. */
  historyEntries: number;
  /**
   * This value and the next two are the disk limits of the history, the activity log and the kept exports. The oldest
   * entries are removed first.
   */
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

/** The state of the windows, in records that each have a version: a tab, the staged edits of a table, the layout. */
export interface WindowRecords {
  all(): WindowRecord[];
  get(key: string): WindowRecord | null;
  /**
   * Writes only if `version` is the stored version (0: no record is stored), or if `after` names the last write.
   * Otherwise the writer gets the stored record, or null if there is none. A null value deletes the record.
   * `connectionId`: the record is deleted with that connection.
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
  /**
   * The name of the writer's earlier write, which may still be running. This write replaces the earlier one. If
   * this write arrives first, the earlier one is refused.
   */
  after?: string;
}

export type WindowRecordAnswer =
  /** Version 0: the record was deleted, or its connection is gone. */
  { written: true; version: number } | { written: false; current: WindowRecord | null };

/** Tells the user which stored data was damaged and set aside. */
export interface Damage {
  /** Found when this core was opened. */
  readonly found: string | null;
  /** Found when this core was opened or before that, and not dismissed yet. */
  unread(): string | null;
  dismiss(): void;
}

export interface SecretsInfo {
  /** Where secrets are stored. `reason` says why they are not in the keychain. */
  store: 'keychain' | 'file';
  reason: string | null;
}
