import type { ExportBody, ExportProgress } from '@trestle/desktop/router';
import { readFailure } from '../shared/api.ts';

/** Begins an export; rejects with the driver's reason where it cannot run. */
export async function beginExport(body: ExportBody, signal: AbortSignal): Promise<string> {
  const response = await fetch('/data/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw await readFailure(response);
  return ((await response.json()) as { id: string }).id;
}

/** The browser fetches the file by itself and writes it where it writes downloads. */
export function downloadExport(id: string): void {
  const link = document.createElement('a');
  link.href = `/data/export/${id}`;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}

export async function askProgress(id: string): Promise<ExportProgress> {
  const response = await fetch(`/data/export/${id}/progress`);
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as ExportProgress;
}

export async function cancelExport(id: string): Promise<void> {
  await fetch(`/data/export/${id}/cancel`, { method: 'POST', body: '{}' });
}

export type { ExportBody, ExportProgress };
