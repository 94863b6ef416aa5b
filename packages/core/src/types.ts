import type { Activity, LogUse } from './types/activity.ts';
import type { Actor, Administration, Passphrase } from './types/administration.ts';
import type { ApprovalsQueue } from './types/approvals.ts';
import type { Connections } from './types/connections.ts';
import type { Data } from './types/data.ts';
import type { Drivers } from './types/drivers.ts';
import type { Events } from './types/events.ts';
import type { Exports } from './types/exports.ts';
import type { History, Removals } from './types/history.ts';
import type { Imports } from './types/imports.ts';
import type { Jobs } from './types/jobs.ts';
import type { KeptMaps } from './types/maps.ts';
import type { Sessions } from './types/sessions.ts';
import type { Damage, SecretsInfo, Settings, UiState, WindowRecords } from './types/settings.ts';
import type { Staged } from './types/staged.ts';
import type { Tokens } from './types/tokens.ts';

/** The app without HTTP, MCP and React. `createCore()` creates it. */
export interface Core {
  readonly drivers: Drivers;
  readonly connections: Connections;
  readonly sessions: Sessions;
  readonly data: Data;
  readonly staged: Staged;
  /**
   * Imports of rows from a file. The window starts one directly, the command line through `administer().beginImport`.
   */
  readonly imports: Imports;
  /** Whatever takes longer than a request. */
  readonly jobs: Jobs;
  /** Exports that `administer().beginExport` began. */
  readonly exports: Omit<Exports, 'begin'>;
  readonly history: History;
  readonly activity: Activity;
  readonly removals: Removals;
  readonly approvals: ApprovalsQueue;
  readonly tokens: Tokens;
  readonly passphrase: Pick<Passphrase, 'isSet' | 'verify'>;
  /** Acts of administration by one actor. */
  administer(actor: Actor): Administration;
  readonly settings: Settings;
  readonly uiState: UiState;
  readonly damage: Damage;
  readonly records: WindowRecords;
  readonly maps: KeptMaps;
  readonly secrets: SecretsInfo;
  readonly events: Events;
  /** Reads the whole history and the whole activity log, so call it only where the result is shown. */
  logUse(): LogUse;
  close(): Promise<void>;
}

export type * from './types/activity.ts';
export type * from './types/acts.ts';
export type * from './types/administration.ts';
export type {
  ApprovalQuestion,
  ApprovalsQueue,
  GrantedApproval,
  OneTimeQuestion,
  PendingApproval,
  Presence,
  QuestionWords,
  UserAnswer,
} from './types/approvals.ts';
export type * from './types/budget.ts';
export type * from './types/caller.ts';
export type * from './types/connections.ts';
export type * from './types/copies.ts';
export type * from './types/data.ts';
export type * from './types/drivers.ts';
export type * from './types/events.ts';
export type * from './types/exports.ts';
export type * from './types/history.ts';
export type * from './types/imports.ts';
export type * from './types/jobs.ts';
export type * from './types/maps.ts';
export type * from './types/sessions.ts';
export type * from './types/settings.ts';
export type * from './types/staged.ts';
export type * from './types/tokens.ts';
