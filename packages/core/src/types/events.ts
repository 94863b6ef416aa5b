import type { ConnectStage } from '@trestle/driver-kit';
import type { SessionStatus } from './sessions.ts';
import type { SettingsValues } from './settings.ts';

export type CoreEvent =
  | { type: 'connectionsChanged' }
  | { type: 'driversChanged' }
  /** An install from the registry began, went on or ended. */
  | { type: 'installsChanged' }
  | { type: 'registryChanged' }
  | { type: 'sessionChanged'; status: SessionStatus }
  /** A statement may have changed the tables themselves. */
  | { type: 'schemaChanged'; connectionId: string }
  | { type: 'rowsChanged'; connectionId: string; table: string }
  | { type: 'tokensChanged' }
  | { type: 'settingsChanged'; settings: SettingsValues }
  | { type: 'historyChanged'; connectionId: string }
  /** History and activity can no longer be stored, or can again: null. */
  | { type: 'logProblemChanged'; problem: string | null }
  /** A window wrote a record; version 0: it was deleted. */
  | { type: 'recordChanged'; key: string; version: number }
  /** A test that a window runs has come to a stage. */
  | { type: 'testStage'; testId: string; stage: ConnectStage }
  | { type: 'approvalsChanged' }
  /** A question waits and no window shows it: open one. */
  | { type: 'attentionNeeded' };

export interface Events {
  on(listener: (event: CoreEvent) => void): () => void;
  /** For what changes data round the core: a sample that was put back. */
  emit(event: CoreEvent): void;
}
