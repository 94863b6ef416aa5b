export interface SettingsValues {
  theme: 'system' | 'light' | 'dark';
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
}

export interface Settings {
  get(): SettingsValues;
  update(patch: Partial<SettingsValues>): SettingsValues;
}

export interface UiState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface SecretsInfo {
  /** Where secrets are kept, and why not in the keychain where they are not. */
  store: 'keychain' | 'file';
  reason: string | null;
}
