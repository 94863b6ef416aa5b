import {
  type AggregateRequest,
  type BrowseRequest,
  type Call,
  type ChangeSet,
  type CountRequest,
  type CreateTableRequest,
  type DesignSource,
  type DriverLogEntry,
  type ExportRequest,
  type Health,
  type ImportRequest,
  isDriverError,
  type MeasureRequest,
  type PlanRequest,
  type ReadCellsRequest,
  type RunRequest,
  type SampleRequest,
  type SaveReport,
  type SaveRequest,
  type ServerInfo,
  type Session,
  type StepRequest,
} from '@trestle/driver-kit';
import { aggregate } from './aggregate.ts';
import { previewChanges, saveChanges } from './changes.ts';
import { createTable } from './create-table.ts';
import type { DatabaseFile } from './database-file.ts';
import { nextStep, planDesign, readDesign } from './design/designs.ts';
import { sqliteForm } from './design/form.ts';
import { isLeftUnfinished, throwIfAborted, translateError } from './errors.ts';
import { exportRows } from './export.ts';
import type { Handle } from './handle.ts';
import { importRows } from './import-rows.ts';
import { browse, count, readCells } from './page.ts';
import { queryRows } from './query.ts';
import { classify, measure, run } from './run.ts';
import { editorSchema, listTables, requireTable, requireTableNow } from './schema.ts';
import { settleChanges } from './settle-changes.ts';
import { sql } from './sql.ts';
import { structureOf } from './structure.ts';
import { withSuggestion } from './suggest.ts';
import { withVectorColumns } from './vectors.ts';

/**
 * SQLite runs synchronously. The signal of a call is checked when the call starts, and between the steps of a save, an
 * import or an export. During a step, the call can end early only if the link ends the driver host.
 */
export class SqliteSession implements Session {
  readonly server: ServerInfo;
  readonly #file: DatabaseFile;
  readonly #log: (entry: DriverLogEntry) => void;

  constructor(file: DatabaseFile, log: (entry: DriverLogEntry) => void) {
    this.#file = file;
    this.#log = log;
    this.server = {
      product: 'SQLite',
      version: String(queryRows(file.reader(), sql`SELECT sqlite_version()`)[0]![0]),
    };
  }

  async health(call: Call): Promise<Health> {
    return this.#attempt(call, () => {
      try {
        this.#file.reopen();
        return {};
      } catch (error) {
        const { code, message } = translateError(error);
        if (code === 'connection_failed') throw error;
        // Other errors, such as a lock of another program, do not mean that the connection is lost.
        return { warning: message };
      }
    });
  }

  async listTables(call: Call) {
    return this.#attempt(call, () => listTables(this.#file.reader()));
  }

  async describeTable(table: string, call: Call) {
    return this.#attempt(call, () => {
      const handle = this.#file.reader();
      return withVectorColumns(handle, requireTableNow(handle, table));
    });
  }

  async describeStructure(table: string, call: Call) {
    return this.#attempt(call, () => {
      const handle = this.#file.reader();
      return structureOf(handle, requireTable(handle, table).description);
    });
  }

  async browse(request: BrowseRequest, call: Call) {
    return this.#attempt(call, () => browse(this.#file.reader(), request));
  }

  async count(request: CountRequest, call: Call) {
    return this.#attempt(call, () => count(this.#file.reader(), request));
  }

  async aggregate(request: AggregateRequest, call: Call) {
    return this.#attempt(call, () => aggregate(this.#file.reader(), request));
  }

  async classify(text: string, call: Call) {
    return this.#attemptText(call, () => classify(this.#file, text));
  }

  async measure(request: MeasureRequest, call: Call) {
    return this.#attempt(call, () => measure(this.#file, request));
  }

  async run(request: RunRequest, call: Call) {
    return this.#attemptText(call, () => run(this.#file, request));
  }

  async *applyChanges(request: SaveRequest, { signal }: Call): AsyncGenerator<SaveReport> {
    yield* this.#write(signal, (handle, options) => saveChanges(handle, request, options));
  }

  async *importRows(request: ImportRequest, { signal }: Call): AsyncGenerator<SaveReport> {
    yield* this.#write(signal, (handle, options) => importRows(handle, request, options));
  }

  async *#write(
    signal: AbortSignal,
    work: (
      handle: Handle,
      options: { log: (entry: DriverLogEntry) => void; signal: AbortSignal; begin: () => string | null },
    ) => Generator<SaveReport>,
  ): AsyncGenerator<SaveReport> {
    throwIfAborted(signal);
    try {
      const handle = this.#file.openWriter();
      try {
        // Exclusive: if a lock on the file prevents the save, it fails at the beginning and not at the commit.
        const begin = () => this.#file.begin(handle, 'EXCLUSIVE');
        yield* work(handle, { log: this.#log, signal, begin });
      } finally {
        handle.db.close();
      }
    } catch (error) {
      throw translateError(error);
    }
  }

  async settleChanges(changes: ChangeSet, call: Call) {
    return this.#attempt(call, () => settleChanges(this.#file.reader(), changes));
  }

  async previewChanges(changes: ChangeSet, call: Call) {
    return this.#attempt(call, () => previewChanges(this.#file.reader(), changes));
  }

  async readCells(request: ReadCellsRequest, call: Call) {
    return this.#attempt(call, () => readCells(this.#file.reader(), request));
  }

  exportRows(request: ExportRequest, call: Call) {
    return exportRows(this.#file, request, call.signal);
  }

  sampleRows({ rows, ...request }: SampleRequest, call: Call) {
    return exportRows(this.#file, { ...request, sort: [] }, call.signal, { rows });
  }

  /** Any commit changes the mark: SQLite does not count the changes of one table. */
  async changeMark(_table: string, call: Call) {
    return this.#attempt(call, () => this.#file.changeMark());
  }

  async designForm(call: Call) {
    return this.#attempt(call, () => {
      this.#file.reader();
      return sqliteForm;
    });
  }

  async readDesign(source: DesignSource, call: Call) {
    return this.#attempt(call, () => readDesign(this.#file.reader(), source));
  }

  async planDesign(request: PlanRequest, call: Call) {
    return this.#attempt(call, () => planDesign(this.#file.reader(), request));
  }

  async nextStep(request: StepRequest, call: Call) {
    return this.#attempt(call, () => nextStep(this.#file.reader(), request));
  }

  async createTable(request: CreateTableRequest, call: Call) {
    this.#attempt(call, () => createTable(this.#file, request));
  }

  async editorSchema(call: Call) {
    return this.#attempt(call, () => editorSchema(this.#file.reader()));
  }

  async close() {
    this.#file.close();
  }

  /** For the text of a statement: an error about an unknown table or column may get a hint with a similar name. */
  #attemptText<T>(call: Call, work: () => T): T {
    try {
      return this.#attempt(call, work);
    } catch (error) {
      throw isDriverError(error) ? withSuggestion(error, this.#file.reader()) : error;
    }
  }

  #attempt<T>({ signal }: Call, work: () => T): T {
    throwIfAborted(signal);
    try {
      try {
        return work();
      } catch (error) {
        if (!isLeftUnfinished(error)) throw error;
        this.#file.reopen();
        return work();
      }
    } catch (error) {
      throw translateError(error);
    }
  }
}
