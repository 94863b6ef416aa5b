import type { ConnectStage } from '@trestle/driver-kit';
import type { SessionStatus } from './sessions.ts';
import type { SettingsValues } from './settings.ts';
import type { TablePart } from './staged.ts';

export type CoreEvent =
  | { type: 'connectionsChanged' }
  | { type: 'driversChanged' }
  | { type: 'registryChanged' }
  | { type: 'sessionChanged'; status: SessionStatus }
  /** The schema, or rows of any table, may have changed. */
  | { type: 'schemaChanged'; connectionId: string }
  | { type: 'rowsChanged'; connectionId: string; table: string }
  /** A job began, progressed, ended or was dismissed. Its progress and outcome are in `core.jobs`. */
  | { type: 'jobChanged'; id: string }
  | { type: 'tokensChanged' }
  | { type: 'settingsChanged'; settings: SettingsValues }
  | { type: 'historyChanged'; connectionId: string }
  /** History and activity can no longer be stored. Null: they can be stored again. */
  | { type: 'logProblemChanged'; problem: string | null }
  /** A window wrote a record. Version 0: the record was deleted. */
  | { type: 'recordChanged'; key: string; version: number }
  /** The staged edits of a table changed. `count`: how many rows are staged. */
  | ({ type: 'stagedChanged'; revision: number; count: number } & TablePart)
  /** A connection test of a window reached a stage. */
  | { type: 'testStage'; testId: string; stage: ConnectStage }
  | { type: 'approvalsChanged' }
  /** A question waits and no window shows it. Open a window. */
  | { type: 'attentionNeeded' };

export interface Events {
  on(listener: (event: CoreEvent) => void): () => void;
  /** For code outside the core, such as the reset of a sample. */
  emit(event: CoreEvent): void;
}
