import { appErrorDetails, type ImportBatch, type ImportedRow, unansweredRows } from '@trestle/core';
import { packWire } from '@trestle/driver-kit';
import { AppGone } from './with-core.ts';

/** A message to the running app has at most 16 MB. Base64 leaves room for less than 12 MB of rows. */
const mostBytes = 11 * 1024 * 1024;

/**
 * Packs a batch and sends it, in halves if it is too large for one message. A single row that is too large is not
 * sent, and its outcome is `failed`.
 */
export async function packRows(
  rows: ImportedRow[],
  send: (packed: string) => Promise<ImportBatch>,
): Promise<ImportBatch> {
  const packed = packWire(rows);
  if (packed.length <= mostBytes) {
    // An `AppError` is returned, not thrown: otherwise the outcomes of a half that was sent before would be lost.
    return send(Buffer.from(packed).toString('base64')).catch((error: unknown) =>
      error instanceof AppGone
        ? { outcomes: [], stopped: appErrorDetails(error) }
        : unansweredRows(rows, error),
    );
  }
  if (rows.length === 1) {
    return {
      outcomes: [
        { id: rows[0]!.id, status: 'failed', problem: `The row has more than ${mostBytes / 1024 / 1024} MB` },
      ],
    };
  }
  const middle = Math.ceil(rows.length / 2);
  const first = await packRows(rows.slice(0, middle), send);
  if (first.stopped) return first;
  const second = await packRows(rows.slice(middle), send);
  return { ...second, outcomes: [...first.outcomes, ...second.outcomes] };
}
