import {
  type Cell,
  type ChangeOutcome,
  type ChangeSet,
  type ColumnHead,
  type Guarded,
  type GuardedUse,
  guardTable,
  holdsPattern,
  isBriefCell,
  isGuarded,
  type MaskedKinds,
  maskedColumn,
  maskJson,
  maskText,
  type RowKey,
  type RowSet,
  type RunOutcome,
  type RunResult,
  rowAt,
  rowSetFromCells,
  type SearchSupport,
  type TableDescription,
  type TableSummary,
  useOf,
} from '@trestle/driver-kit';
import { AppError, type AppErrorDetails } from '../errors.ts';
import { own } from '../own-text.ts';
import type { Masking } from '../types.ts';
import type { ClosedNow } from './closed-columns.ts';
import { type Masked, maskRowSet, maskSentence } from './mask-values.ts';

/**
 * The data that one caller may not see on one connection. The core checks requests and replaces values. A driver that
 * can guard columns also enforces `guarded`.
 */
export class Mask {
  readonly guarded: Guarded;
  readonly masking: Masking;
  /**
   * Whether a masked kind of value was found in a result outside the closed columns. Another program may have written it
   * after the columns were read.
   */
  hasFoundKind = false;
  readonly #driverGuards: boolean;
  readonly #closed: Guarded;
  readonly #marks: MaskedKinds['marks'];
  readonly #open: Guarded;
  readonly #hidden: Guarded;

  /**
   * `driverGuards`: the driver declares that it enforces `guarded`. `closed`: columns that may contain a masked kind
   * of value. `marks`: the marks of the tables when these columns were found.
   */
  constructor(
    masking: Masking,
    options: { driverGuards: boolean; closed?: Guarded; marks?: MaskedKinds['marks'] },
  ) {
    this.masking = masking;
    this.#open = (masking.open ?? []).flatMap(maskedColumn);
    this.#driverGuards = options.driverGuards;
    this.#closed = options.closed ?? [];
    this.#marks = options.marks ?? [];
    this.#hidden = masking.columns.flatMap(maskedColumn);
    this.guarded = [...this.#hidden, ...this.#closed];
  }

  /** A copy of this mask in which these columns are closed. */
  with({ closed, marks }: ClosedNow): Mask {
    return new Mask(this.masking, { driverGuards: this.#driverGuards, closed, marks });
  }

  /** Whether these columns are closed in this mask. */
  closes(columns: Guarded): boolean {
    return columns.every(({ table, column }) => isGuarded(this.#closed, table, column));
  }

  get closed(): Guarded {
    return this.#closed;
  }

  get hidesColumns(): boolean {
    return this.guarded.length > 0;
  }

  /** Whether nothing is masked. */
  get isIdle(): boolean {
    return !this.hidesColumns && this.masking.patterns.length === 0;
  }

  /** The part of a request that tells the driver which columns are guarded. */
  get request(): { guarded?: Guarded } {
    return this.hidesColumns ? { guarded: this.guarded } : {};
  }

  /** The same for a request that may change rows. */
  get changeRequest(): { guarded?: Guarded; maskedKinds?: MaskedKinds } {
    const { patterns } = this.masking;
    if (patterns.length === 0) return this.request;
    return { ...this.request, maskedKinds: { patterns, open: this.#open, marks: this.#marks } };
  }

  /** `table`: the table of the request, for a driver that does not report a column's origin. */
  rows(rows: RowSet, table?: string): RowSet {
    const how = (head: ColumnHead) => this.#maskedHow(head, table);
    return this.isIdle ? rows : maskRowSet(rows, how, this.masking.patterns, this.#onFound);
  }

  readonly #onFound = () => {
    this.hasFoundKind = true;
  };

  run(outcome: RunOutcome): RunOutcome {
    if (this.isIdle) return outcome;
    return {
      ...outcome,
      results: outcome.results.map((result) => this.#result(result)),
      messages: outcome.messages.map((message) => ({ ...message, text: this.sentence(message.text) })),
    };
  }

  outcome(table: string, outcome: ChangeOutcome): ChangeOutcome {
    if (this.isIdle) return outcome;
    return {
      ...outcome,
      ...(outcome.key && { key: this.#key(table, outcome.key) }),
      ...(outcome.theirs && { theirs: this.#cells(table, outcome.theirs) }),
      ...(outcome.error && { error: this.details(outcome.error) }),
      ...(outcome.warning !== undefined && { warning: this.sentence(outcome.warning) }),
    };
  }

  details<Details extends AppErrorDetails>(details: Details): Details {
    const { message, hint } = details;
    return {
      ...details,
      message: this.sentence(message),
      ...(hint !== undefined && { hint: this.sentence(hint) }),
    };
  }

  sentence(text: string): string {
    return maskSentence(text, this.masking.patterns);
  }

  /**
   * Marks the hidden columns. Lists the refused operations of hidden and closed columns. `shown`: the column heads of a
   * page. In them, the driver may mark more columns as masked, such as computed ones.
   */
  description(given: TableDescription, shown?: ColumnHead[]): TableDescription {
    if (this.isIdle) return given;
    const description = this.#schemaText(given);
    const hidden: string[] = [];
    const opened: string[] = [];
    let hasGuarded = false;
    const columns = description.columns.map((column) => {
      const head = shown?.find(({ name }) => name === column.name);
      const how = this.#maskedHow(head?.masked ? { ...column, ...head } : column, description.name);
      if (how === 'opened') opened.push(column.name);
      if (how === 'open' || how === 'opened') return column;
      hasGuarded = true;
      const refusal = refusals[how];
      const operators = column.operators.map(({ operator }) => ({ operator, refusal }));
      if (how === 'closed') return { ...column, unsortable: refusal, operators };
      hidden.push(column.name);
      return { ...column, masked: true, unsortable: refusal, operators };
    });
    const { patterns } = this.masking;
    const notes = [
      ...description.notes,
      ...(hidden.length > 0
        ? [
            `Masked for external clients: ${hidden.join(', ')}. The values show as ${maskText}; the columns cannot be filtered, sorted, searched or used in an expression.`,
          ]
        : []),
      ...(patterns.length > 0
        ? [
            `Values that hold ${patterns.map((one) => words[one]).join(' or ')} show as ${maskText}${opened.length > 0 ? `, except in ${opened.join(', ')}` : ''}.`,
          ]
        : []),
    ];
    const { searches, countQuery, ...rest } = description;
    return {
      ...rest,
      // A driver chooses the column of this query by the values of all columns.
      ...(countQuery !== undefined && !hasGuarded && { countQuery }),
      columns,
      notes,
      ...(searches && { searches: openSearches(searches, columns) }),
    };
  }

  summary<Table extends TableSummary>(table: Table): Table {
    const { comment } = table;
    return comment === undefined ? table : { ...table, comment: this.sentence(comment) };
  }

  /** A default, a CHECK or a comment may contain a personal value too. */
  #schemaText(description: TableDescription): TableDescription {
    const { definition, columns, indexes } = description;
    return {
      ...this.summary(description),
      ...(definition !== undefined && { definition: this.sentence(definition) }),
      columns: columns.map((column) => ({
        ...column,
        ...(column.comment !== undefined && { comment: this.sentence(column.comment) }),
        ...(column.defaultText !== undefined && { defaultText: this.sentence(column.defaultText) }),
      })),
      indexes: indexes.map((index) => ({
        ...index,
        ...(index.detail !== undefined && { detail: this.sentence(index.detail) }),
      })),
    };
  }

  assertRun(): void {
    if (!this.hidesColumns || this.#driverGuards) return;
    throw new AppError({
      code: 'refused',
      message: own`The connection masks columns, and its driver cannot keep a query from reading them`,
      hint: own`Browse the table instead: masked columns show there as •••.`,
    });
  }

  assertRequest(request: GuardedUse & { table: string }): void {
    const { table } = request;
    guardTable(table, request, (column) => ({
      origin: { table, column },
      masked: isGuarded(this.guarded, table, column),
    }));
  }

  assertChanges({ table, changes }: ChangeSet): void {
    this.assertRequest({ table, ...useOf(changes) });
  }

  /** A column that only the driver marks as masked (a member of an object, a computed column) is hidden too. */
  #maskedHow({ name, origin, masked }: ColumnHead, table?: string): Masked {
    const isOf = (columns: Guarded) =>
      (origin !== undefined && isGuarded(columns, origin.table, origin.column)) ||
      (table !== undefined && isGuarded(columns, table, name));
    if (isOf(this.#hidden)) return 'hidden';
    if (isOf(this.#open) && !masked) return 'opened';
    if (isOf(this.#closed)) return 'closed';
    return masked ? 'hidden' : 'open';
  }

  #result(result: RunResult): RunResult {
    switch (result.kind) {
      case 'rows':
        return { ...result, rows: this.rows(result.rows) };
      case 'document':
        if (holdsPattern(result.document as Cell, this.masking.patterns)) this.#onFound();
        return { ...result, document: maskJson(result.document, this.masking.patterns) };
      case 'affected':
        return result;
    }
  }

  /** A long value arrives as its beginning, in which a pattern may not recognise a value that was cut. */
  #cells(table: string, cells: Record<string, Cell>): Record<string, Cell> {
    const isUnsure = (cell: Cell) => this.masking.patterns.length > 0 && isBriefCell(cell);
    const heads = Object.keys(cells).map((name): ColumnHead => ({ name, type: 'any', nativeType: '' }));
    const shown = Object.values(cells).map((cell) => (isUnsure(cell) ? maskText : cell));
    return rowAt(this.rows(rowSetFromCells(heads, [shown]), table), 0);
  }

  #key(table: string, key: RowKey): RowKey {
    return Object.fromEntries(
      Object.entries(key).map(([name, value]) => [
        name,
        isGuarded(this.guarded, table, name) ? maskText : value,
      ]),
    );
  }
}

export const noMasking: Masking = { columns: [], patterns: [] };
export const openMask = new Mask(noMasking, { driverGuards: true });

const refusals = {
  hidden: 'Masked for external clients',
  closed: 'May hold values that are masked for external clients',
} as const;

/**
 * Removes masked vectors from the searches: a search by such a vector would find rows by the text that it was made
 * from. If all vectors are masked, only the keyword search stays allowed.
 */
function openSearches(
  searches: SearchSupport,
  columns: (ColumnHead & { masked?: boolean })[],
): SearchSupport {
  const vectors = columns.filter(({ type }) => type === 'vector');
  const masked = vectors.filter((column) => column.masked).map(({ name }) => name);
  if (masked.length === 0) return searches;
  const targetVectors = searches.targetVectors.filter((name) => !masked.includes(`vector: ${name}`));
  if (masked.length < vectors.length) return { ...searches, targetVectors };
  const refusal = 'The vectors are masked for external clients';
  const modes = searches.modes.map((one) => (one.mode === 'keyword' ? one : { ...one, refusal }));
  return { modes, targetVectors };
}
const words = { email: 'an email address', card: 'a card number', phone: 'a phone number' } as const;
