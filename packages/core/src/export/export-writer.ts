import type { RowSet } from '@trestle/driver-kit';

/** Turns rows into a file, a piece at a time. A piece may be empty. */
export interface ExportWriter<Piece = FilePiece | Promise<FilePiece>> {
  rows(rows: RowSet, from: number, to: number): Piece;
  /** The last piece of the file. */
  end(): Piece;
  /** For an export that ended before its file did. */
  close?(): void;
}

export type FilePiece = string | Uint8Array;
