export {
  type Aggregated,
  type AggregateRequest,
  aggregateNames,
  countName,
  type Measure,
  type Measured,
  measureName,
  measures,
  topValues,
} from './aggregate.ts';
export { amount, sizeText } from './amount.ts';
export {
  answerLeftOut,
  answerTooLarge,
  cutCell,
  cutCells,
  isCutCell,
  maxAnswerBytes,
  maxCellBytes,
  weigh,
} from './answer-size.ts';
export { assertCeiling } from './assert-ceiling.ts';
export {
  bytesToBase64,
  cellToJson,
  cellToText,
  isPlainDate,
  isVector,
  type ParsedCell,
  parseCell,
} from './cell-text.ts';
export {
  type Change,
  type ChangeOutcome,
  type ChangePreview,
  type ChangeSet,
  type Expected,
  type ImportRequest,
  type Insert,
  type SaveReport,
  type SaveRequest,
  type SettleRequest,
  useOf,
} from './changes.ts';
export { checkFields, isHost } from './check-fields.ts';
export type {
  Act,
  ActEnd,
  ActStep,
  Design,
  DesignChoice,
  DesignCondition,
  DesignDifference,
  DesignField,
  DesignForm,
  DesignGroup,
  DesignItem,
  DesignPart,
  DesignPlan,
  DesignProblem,
  DesignSource,
  DesignStep,
  DesignValue,
  FoundColumn,
  Later,
  PlanRequest,
  StepAnswer,
  StepRequest,
} from './design.ts';
export { distinctNames } from './distinct-names.ts';
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
export { type Effect, exceeds, lowest, strongest } from './effect.ts';
export {
  DriverError,
  type DriverErrorCode,
  type DriverErrorDetails,
  driverErrorDetails,
  isDriverError,
} from './errors.ts';
export { doubleOf, exactJson } from './exact-json.ts';
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
export {
  holdsPattern,
  type MaskedKinds,
  maskCell,
  maskJson,
  maskOutdated,
  maskText,
  mayHoldKinds,
  mostKindBytes,
  mostKindRows,
} from './masked-kinds.ts';
export { compareCodePoints, memoryOperators } from './memory-filter.ts';
export { browseMemory, countMemory, type MemoryTable } from './memory-table.ts';
export { nearestName, suggestName } from './nearest-name.ts';
export { withoutEditor } from './no-editor.ts';
export { foldText, normalized } from './normalized.ts';
export type { Endpoint, EndpointNeed, Outbound } from './outbound.ts';
export { ownValue } from './own-value.ts';
export { holdsPersonal, type MaskPattern } from './personal-text.ts';
export {
  assertBudget,
  assertReach,
  exceedsReach,
  type Loss,
  type ReachLimits,
  rowsLost,
  type TableLoss,
} from './reach.ts';
export type { RequestCode } from './request-code.ts';
export type {
  BrowseRequest,
  CountRequest,
  ExportRequest,
  FindReferencesRequest,
  Page,
  ReadCellsRequest,
  ReadReferencesRequest,
  ReferenceTarget,
  SampleRequest,
  ShortVectors,
} from './row-requests.ts';
export type {
  SearchChoice,
  SearchMode,
  SearchOptions,
  SearchRequest,
  SearchSettings,
  SearchSupport,
} from './search.ts';
export { defaultAlpha } from './search.ts';
export type { ScorePart, SearchExplanation, SearchTerm } from './search-explanation.ts';
export { briefCell, isAsSeen, isBriefCell, sameCell } from './seen-cell.ts';
export {
  type Call,
  type Capability,
  type Classification,
  type EditorRequests,
  type EditorSchema,
  type Health,
  type MeasureRequest,
  optionalMethods,
  type RequestPath,
  type RunMessage,
  type RunOutcome,
  type RunRequest,
  type RunResult,
  requiredMethods,
  type SentRequests,
  type ServerInfo,
  type Session,
  type SessionMethod,
  type ShownRequest,
} from './session.ts';
export type {
  ColumnDescription,
  CreateTableRequest,
  DescribedTables,
  ForeignKeyDescription,
  IndexDescription,
  OperatorSupport,
  Partition,
  StructureSection,
  TableDescription,
  TableStructure,
  TableSummary,
} from './table-description.ts';
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
export { isWithin, type Written, writtenInWords } from './written.ts';
