import { packWire, unpackWire } from '@trestle/driver-kit';
import { noEdits, type StagedEdits } from './staged-edits.ts';

/** Staged edits as text for storage: JSON alone would lose 64-bit integers and bytes. */
export function packEdits(edits: StagedEdits): string {
  const bytes = packWire(edits);
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** What cannot be read any more is dropped: an unreadable note must not keep a table from opening. */
export function unpackEdits(text: string | undefined): StagedEdits {
  if (!text) return noEdits;
  try {
    const edits = unpackWire(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))) as StagedEdits;
    return Array.isArray(edits.steps) && Array.isArray(edits.undone) && edits.failures ? edits : noEdits;
  } catch {
    return noEdits;
  }
}
