import type { RowSet } from '@trestle/driver-kit';

/** Turns rows into a file, a piece at a time. A piece may be empty. */
export interface ExportWriter<Piece = FilePiece | Promise<FilePiece>> {
  rows(rows: RowSet, from: number, to: number): Piece;
  /** The last piece of the file. */
  end(): Piece;
  /** Ends the writer of an export that stopped before the end of its file. */
  close?(): void;
}

export type FilePiece = string | Uint8Array;
