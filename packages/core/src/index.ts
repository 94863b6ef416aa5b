export {
  bridgeTokenName,
  cannotDestroy,
  decideAccess,
  isBridge,
  tokenCeiling,
  visibleConnections,
} from './access/decide-access.ts';
export { lossWords } from './access/loss-words.ts';
export { byColumnName } from './by-column-name.ts';
export { newConnectionDraft } from './connections/new-draft.ts';
export { type CoreOptions, createCore } from './core.ts';
export {
  AppError,
  type AppErrorCode,
  type AppErrorDetails,
  appErrorDetails,
  isAppError,
  type Said,
} from './errors.ts';
export {
  type ExportFormat,
  exportFormats,
  exportWriter,
} from './export/export-format.ts';
export type { ExportWriter } from './export/export-writer.ts';
export {
  type InexactColumn,
  inexactCounter,
  inexactValues,
  inexactWords,
  unsureColumns,
} from './export/inexact-values.ts';
export { onlyColumns } from './export/only-columns.ts';
export { checkFile } from './imports/check-file.ts';
export { createFailedFile, type FailedFile } from './imports/failed-file.ts';
export { fitJsonValue } from './imports/fit-cell.ts';
export { isApart } from './imports/fit-row.ts';
export { importOutcome, importProgress } from './imports/import-words.ts';
export { type InferredColumn, inferColumns } from './imports/infer-columns.ts';
export { mapOfDesign } from './imports/map-of-design.ts';
export { jsonText } from './imports/parse-json-row.ts';
export {
  type ImportPlan,
  isWritable,
  planImport,
  suggestMap,
} from './imports/plan-import.ts';
export { runImport, unansweredRows } from './imports/run-import.ts';
export type { SourceRow } from './imports/source-row.ts';
export { type ImportFile, surveyFile } from './imports/survey-file.ts';
export { readTyped } from './imports/typed-json.ts';
export { untypedNote } from './imports/untyped-note.ts';
export {
  fenced,
  fencedInline,
  joinOwn,
  OwnText,
  oneLine,
  own,
  ownAmount,
  showUnseen,
} from './own-text.ts';
export { packDriver } from './plugins/pack-driver.ts';
export { unanswered } from './queries/unanswered.ts';
export { compareVersions } from './registry/compare-versions.ts';
export { registryAddress } from './registry/registry-address.ts';
export { readRegistryFile } from './registry/registry-source.ts';
export { datesProblem } from './registry/signed-dates.ts';
export { isSigned } from './registry/verify.ts';
export { defaultSettings } from './settings/settings.ts';
export { assertUndamaged } from './storage/assert-undamaged.ts';
export type * from './types.ts';
