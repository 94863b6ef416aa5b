import type { ChangeSet } from '../changes.ts';
import { type ConnectStage, connectStages, type DriverLogEntry } from '../driver.ts';
import type { DriverErrorDetails } from '../errors.ts';
import type { ExportRequest, SampleRequest } from '../row-requests.ts';
import type { ServerInfo } from '../session.ts';
import { type AnsweringMethod, callAnswers } from './call-answers.ts';
import { CheckedSave, errorDetails } from './change-answers.ts';
import { checkRows } from './row-shapes.ts';
import { AnswerMismatch, anyText, figure, list, oneOf, quoted, record, Spent } from './shape.ts';

export { isDesign, isDesignSource } from './design-answers.ts';
export { AnswerMismatch } from './shape.ts';

/**
 * The checks of what a driver answers. The app makes them for each answer, since a driver may be wrong or hostile. The
 * contract suite makes them too, so that the author of a driver sees each mismatch first. All checks throw
 * `AnswerMismatch`.
 */

/** `args`: the arguments of the call, without its `Call`. */
export function checkAnswer(method: AnsweringMethod, args: readonly unknown[], answer: unknown): void {
  callAnswers[method](args[0] as never)(answer, new Spent());
}

export function checkServerInfo(server: unknown): asserts server is ServerInfo {
  record({ product: anyText, version: anyText })(server, new Spent());
}

export function checkCapabilities(names: unknown): asserts names is string[] {
  list(anyText, 1000)(names, new Spent());
}

export function checkLogEntry(entry: unknown): asserts entry is DriverLogEntry {
  const shape = record({ level: oneOf(['debug', 'info', 'warn', 'error']), message: anyText });
  named('called log wrongly', () => shape(entry, new Spent(mostStreamed)));
}

export function checkStage(stage: unknown): asserts stage is ConnectStage {
  named('called stage wrongly', () => oneOf(connectStages)(stage, new Spent()));
}

function named(what: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof AnswerMismatch ? new AnswerMismatch(`${what} (${error.message})`) : error;
  }
}

/** Texts of any length: a message may quote a long answer of the server. The app cuts it. */
export function checkError(error: unknown): asserts error is DriverErrorDetails {
  errorDetails(error, new Spent(mostStreamed));
}

export type StreamingMethod = 'exportRows' | 'sampleRows' | 'applyChanges' | 'importRows';

/** Checks the items of one stream, in their order. */
export interface StreamCheck {
  item(item: unknown): void;
  /** The stream ended by itself: it was not cancelled and threw no error. */
  end(): void;
}

export function checkStream(method: StreamingMethod, request: unknown): StreamCheck {
  if (method === 'exportRows' || method === 'sampleRows') {
    const { rows } = request as SampleRequest;
    return new CheckedRows(request as ExportRequest, method === 'sampleRows' ? 2 * rows + 10_000 : undefined);
  }
  const save = new CheckedSave(request as ChangeSet);
  return { item: (item) => save.item(item, new Spent()), end: () => save.end() };
}

/** One row may be larger than the answer to a call. */
const mostStreamed = 256 * 1024 * 1024;

class CheckedRows implements StreamCheck {
  readonly #request: ExportRequest;
  #left: number;
  #names: string[] | undefined;

  constructor(request: ExportRequest, most = Number.POSITIVE_INFINITY) {
    this.#request = request;
    this.#left = most;
  }

  item(batch: unknown): void {
    const { columns, vectors = [], shortVectors } = this.#request;
    const wanted = columns && [...columns, ...vectors];
    const expected = { most: this.#left, columns: wanted ?? vectors, distinct: true };
    const names = checkRows(batch, new Spent(mostStreamed), expected);
    this.#names ??= names;
    const first = this.#names;
    // The writer of a file writes the columns of the first batch.
    if (names.length !== first.length) {
      throw new AnswerMismatch(
        `a batch has ${figure(names.length)} columns, and the first batch has ${figure(first.length)}`,
      );
    }
    const other = names.findIndex((name, index) => name !== first[index]);
    if (other >= 0) {
      throw new AnswerMismatch(
        `a batch has the column ${quoted(names[other]!)}, and the first batch has ${quoted(first[other]!)}`,
      );
    }
    const { rowCount, values } = batch as {
      rowCount: number;
      values: { kind: string; dimensions: number }[];
    };
    this.#left -= rowCount;
    const most = shortVectors?.dimensions ?? Number.POSITIVE_INFINITY;
    const long = values.find(({ kind, dimensions }) => kind === 'vectors' && dimensions > most);
    if (long) {
      throw new AnswerMismatch(
        `vectors of ${figure(long.dimensions)} numbers, and at most ${figure(most)} were asked for`,
      );
    }
  }

  end(): void {}
}
