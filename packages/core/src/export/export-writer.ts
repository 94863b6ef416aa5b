import type { RowSet } from '@trestle/driver-kit';

/** Turns rows into a file, a piece at a time. A piece may be empty. */
export interface ExportWriter<Piece = string | Uint8Array> {
  rows(rows: RowSet, from: number, to: number): Piece;
  /** The last piece of the file. */
  end(): Piece;
}
