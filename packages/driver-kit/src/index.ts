export {
  answerTooLarge,
  cutCell,
  cutCells,
  isCutCell,
  maxAnswerBytes,
  maxCellBytes,
  weigh,
} from './answer-size.ts';
export { cellToJson, cellToText, isPlainDate, type ParsedCell, parseCell } from './cell-text.ts';
export { checkFields } from './check-fields.ts';
export {
  type ConnectionFields,
  type ConnectOptions,
  type ConnectStage,
  connectStages,
  type Dial,
  type Driver,
  type DriverLogEntry,
  type FieldValue,
} from './driver.ts';
export { assertCeiling, type Effect, exceeds, gravest, lowest } from './effect.ts';
export {
  DriverError,
  type DriverErrorCode,
  type DriverErrorDetails,
  driverErrorDetails,
  isDriverError,
} from './errors.ts';
export {
  connectionAddress,
  defaultFields,
  findSuggestion,
  isFieldVisible,
  isSecretField,
  readPastedUrl,
} from './fields.ts';
export {
  type Filter,
  type FilterOperator,
  type FilterScalar,
  filterOperators,
  type Match,
  operatorArity,
  type Sort,
  splitList,
} from './filter.ts';
export {
  type ColumnSource,
  type Guarded,
  type GuardedUse,
  guardTable,
  isGuarded,
  markedHead,
  maskedColumn,
  maskedUse,
} from './guarded.ts';
export type { Manifest, ManifestField, Suggestion } from './manifest.ts';
export { compareCells, compareCodePoints, memoryFilter, memoryOperators } from './memory-filter.ts';
export { browseMemory, countMemory, type MemoryTable } from './memory-table.ts';
export { nearestName, suggestName } from './nearest-name.ts';
export { withoutEditor } from './no-editor.ts';
export {
  assertReach,
  exceedsReach,
  type Loss,
  lossInWords,
  type ReachLimits,
  rowsLost,
  type TableLoss,
} from './reach.ts';
export {
  type BrowseRequest,
  type Call,
  type Capability,
  type Change,
  type ChangeOutcome,
  type ChangePreview,
  type ChangeSet,
  type Classification,
  type ColumnDescription,
  type CountRequest,
  type CreateTableRequest,
  type DescribedTables,
  type EditorSchema,
  type ExportRequest,
  type FindReferencesRequest,
  type ForeignKeyDescription,
  type Health,
  type ImportRequest,
  type IndexDescription,
  type Insert,
  type MeasureRequest,
  type OperatorSupport,
  optionalMethods,
  type Page,
  type Partition,
  type ReadCellsRequest,
  type ReadReferencesRequest,
  type ReferenceTarget,
  type RequestCode,
  type RunMessage,
  type RunOutcome,
  type RunRequest,
  type RunResult,
  requiredMethods,
  type SampleRequest,
  type SaveReport,
  type SaveRequest,
  type ScorePart,
  type SearchChoice,
  type SearchExplanation,
  type SearchMode,
  type SearchOptions,
  type SearchRequest,
  type SearchSettings,
  type SearchSupport,
  type SearchTerm,
  type ServerInfo,
  type Session,
  type SessionMethod,
  type ShownRequest,
  type StructureSection,
  type TableDescription,
  type TableStructure,
  type TableSummary,
} from './session.ts';
export {
  type Cell,
  type ColumnHead,
  type ColumnOrigin,
  type ColumnType,
  type ColumnValues,
  cellAt,
  float32ToNumber,
  type Json,
  type RowKey,
  type RowSet,
  rowAt,
  rowSetFromCells,
} from './values.ts';
export { packWire, unpackWire } from './wire.ts';
export { packFrame, readFrames } from './wire-frames.ts';
