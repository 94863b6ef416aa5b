export {
  type AccessDecision,
  type AccessQuestion,
  type ApprovalState,
  bridgeTokenName,
  cannotDestroy,
  decideAccess,
  visibleConnections,
} from './access/decide-access.ts';
export { newConnectionDraft } from './connections/new-draft.ts';
export { type CoreOptions, createCore } from './core.ts';
export { AppError, type AppErrorCode, type AppErrorDetails, appErrorDetails, isAppError } from './errors.ts';
export { type ExportFormat, type ExportWriter, exportFormats, exportWriter } from './export/export-format.ts';
export { compareVersions } from './plugins/compare-versions.ts';
export { integrityOf } from './plugins/integrity.ts';
export { packDriver } from './plugins/pack-driver.ts';
export { unanswered } from './queries/unanswered.ts';
export type { Timing } from './sessions/timing.ts';
export { defaultSettings } from './settings/settings.ts';
export type * from './types.ts';
