import type { ExportBody } from '@trestle/desktop/router';
import { packWire } from '@trestle/driver-kit';
import { readFailure } from '../../data/api/api.ts';
import { appFetch } from '../../data/api/window-key.ts';

/**
 * Starts an export. `inexact` names the values that the file would not keep: the export has not started, and starts with
 * `isInexactKnown`. Rejects with the reason if the export cannot start.
 */
export async function beginExport(body: ExportBody, signal: AbortSignal): Promise<BegunExport> {
  const response = await appFetch('/data/export', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: packWire(body),
    signal,
  });
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as BegunExport;
}

export type BegunExport = { id: string; file: string } | { inexact: string[] };

export type { ExportBody };
