import type { ExportBody, ExportProgress } from '@trestle/desktop/router';
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

export async function askProgress(id: string): Promise<ExportProgress> {
  const response = await appFetch(`/data/export/${id}/progress`);
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as ExportProgress;
}

export async function cancelExport(id: string): Promise<void> {
  await appFetch(`/data/export/${id}/cancel`, { method: 'POST', body: '{}' });
}

export type { ExportBody, ExportProgress };
