import {
  type Cell,
  type ColumnHead,
  type ColumnValues,
  cellAt,
  cellToText,
  parseCell,
  type RowSet,
  weigh,
} from '@trestle/driver-kit';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { AppError } from '../errors.ts';
import type { ExportWriter } from './export-writer.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/**
 * A row group is written when it has this many rows or bytes. Only one is in memory at a time. On a busy machine,
 * encoding it may take a second.
 */
const groupRows = 10_000;
const groupBytes = 2 * 1024 * 1024;

/**
 * Apache Parquet with Snappy. Vectors are not compressed. The first call of `rows` determines the columns and their
 * types. Without such a call, the file has the columns `columns`, all of type text.
 */
export function parquetWriter({ columns, asText = [] }: ParquetOptions): ExportWriter<Uint8Array> {
  const bytes = new DrainedBytes();
  let file: { writer: ParquetWriter; heads: ColumnHead[] } | undefined;
  let waiting: unknown[][] = [];
  let rowCount = 0;
  let weight = 0;

  function begin(given: ColumnHead[]) {
    const heads = given.map(
      (head): ColumnHead => (asText.includes(head.name) ? { ...head, type: 'text' } : head),
    );
    const schema: Schema = [{ name: 'root', num_children: heads.length }, ...heads.flatMap(elementsOf)];
    waiting = heads.map(() => []);
    return { writer: new ParquetWriter({ writer: bytes, schema }), heads };
  }

  function flush(): Uint8Array {
    if (file && rowCount > 0) {
      const columnData = file.heads.map(({ name, type }, index) => ({
        name,
        data: waiting[index]!,
        // The numbers of vectors hardly ever repeat, so a dictionary or compression would only take time.
        ...(type === 'vector' && { encoding: 'PLAIN' as const, codec: 'UNCOMPRESSED' as const }),
      }));
      file.writer.write({ columnData, rowGroupSize: rowCount });
      waiting = file.heads.map(() => []);
      rowCount = 0;
      weight = 0;
    }
    return bytes.drain();
  }

  return {
    rows(rows: RowSet, from: number, to: number) {
      file ??= begin(rows.columns);
      file.heads.forEach((head, column) => {
        for (let row = from; row < to; row++) {
          const vector = vectorAt(rows.values[column]!, row);
          const cell = vector ?? cellAt(rows, column, row);
          waiting[column]!.push(vector ?? parquetValue(cell, head));
          weight += vector ? vector.length * 4 : weigh(cell);
        }
      });
      rowCount += to - from;
      return rowCount >= groupRows || weight >= groupBytes ? flush() : new Uint8Array();
    },
    end() {
      file ??= begin(columns.map((name) => ({ name, type: 'text', nativeType: 'text' })));
      const last = flush();
      file.writer.finish();
      return Buffer.concat([last, bytes.drain()]);
    },
  };
}

export interface ParquetOptions {
  columns: string[];
  /** Columns with values that their type does not hold. All their values are written as text. */
  asText?: string[];
}

/** Whether a Parquet column of this type gives the value back. */
export function fitsParquet(cell: Cell, head: ColumnHead): boolean {
  if (head.type === 'any' || head.type === 'text') return cell === null || typeof cell === 'string';
  try {
    parquetValue(cell, head);
    return true;
  } catch {
    return false;
  }
}

/** `drain` returns the bytes since the last `drain`. `offset` still counts from the start of the file. */
class DrainedBytes extends ByteWriter {
  drain(): Uint8Array {
    const taken = this.getBytes().slice();
    this.index = 0;
    return taken;
  }
}

/**
 * The raw numbers of a vector, if the column is of kind `vectors`. `cellAt` would compute the shortest decimal of each
 * number, which takes far longer.
 */
function vectorAt(values: ColumnValues, row: number): number[] | undefined {
  if (values.kind !== 'vectors' || !values.present[row]) return undefined;
  const { floats, dimensions } = values;
  return Array.from(floats.subarray(row * dimensions, (row + 1) * dimensions));
}

/** The schema of one column. A uuid column is a text column: most readers show the UUID type as 16 bytes. */
function elementsOf({ name, type }: ColumnHead): Schema {
  const repetition_type = 'OPTIONAL' as const;
  switch (type) {
    case 'int':
      return [{ name, type: 'INT64', repetition_type }];
    case 'number':
      return [{ name, type: 'DOUBLE', repetition_type }];
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type }];
    case 'date':
      return [{ name, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type }];
    case 'bytes':
      return [{ name, type: 'BYTE_ARRAY', repetition_type }];
    case 'json':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type }];
    case 'vector':
      return [
        { name, repetition_type, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
      ];
    default:
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }];
  }
}

/** A SQLite column may contain values of another type. A value that the Parquet type cannot hold ends the export. */
function parquetValue(cell: Cell, { name, type }: ColumnHead): unknown {
  if (cell === null) return null;
  switch (type) {
    case 'int':
      if (typeof cell === 'bigint' && BigInt.asIntN(64, cell) === cell) return cell;
      if (Number.isInteger(cell) && Math.abs(cell as number) < 2 ** 63) return BigInt(cell as number);
      break;
    case 'number':
      if (typeof cell === 'number') return cell;
      // A large integer is accepted only if a double holds it exactly.
      if (typeof cell === 'bigint' && BigInt(Number(cell)) === cell) return Number(cell);
      break;
    case 'boolean':
      if (typeof cell === 'boolean') return cell;
      break;
    case 'date': {
      const micros = typeof cell === 'string' ? microsOf(cell) : undefined;
      if (micros !== undefined) return micros;
      break;
    }
    case 'bytes':
      if (cell instanceof Uint8Array) return cell;
      break;
    case 'vector':
      if (Array.isArray(cell) && cell.every((one) => typeof one === 'number')) return cell;
      break;
    case 'json':
      if (!(cell instanceof Uint8Array) && typeof cell !== 'bigint') return cell;
      break;
    default:
      return cellToText(cell);
  }
  throw new AppError({
    code: 'unsupported',
    message: `${name} holds ${JSON.stringify(cellToText(cell).slice(0, 40))}, which a Parquet column of type ${type} cannot hold`,
    hint: 'Export as CSV or JSON lines, which hold any value.',
  });
}

/**
 * Microseconds since 1970 of an RFC 3339 date, if it has no finer parts. A time without its offset is refused:
 * `Date.parse` would read it in the time zone of this machine.
 */
function microsOf(text: string): bigint | undefined {
  const parsed = parseCell(text, 'date');
  if (!parsed.ok || typeof parsed.cell !== 'string') return undefined;
  const fraction = /\.(\d+)/.exec(parsed.cell)?.[1] ?? '';
  if (/[1-9]/.test(fraction.slice(6))) return undefined;
  const seconds = BigInt(Math.floor(Date.parse(parsed.cell) / 1000));
  return seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
