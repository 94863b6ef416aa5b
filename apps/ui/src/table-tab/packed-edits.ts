import { packWire, unpackWire } from '@trestle/driver-kit';
import { fromBase64, toBase64 } from './base64.ts';
import { noEdits, type StagedEdits, type Step } from './staged-edits.ts';

/** Staged edits as text for storage. Plain JSON would lose 64-bit integers and bytes. */
export function packEdits(edits: StagedEdits): string {
  return toBase64(packWire(edits));
}

/** Unreadable edits are dropped: they must not keep a table from opening. */
export function unpackEdits(text: unknown): StagedEdits {
  if (typeof text !== 'string' || text === '') return noEdits;
  try {
    const edits = unpackWire(fromBase64(text)) as StagedEdits;
    if (!Array.isArray(edits.steps) || !Array.isArray(edits.undone) || !edits.failures) return noEdits;
    // Earlier versions stored only these three fields, and steps without an id.
    const named = (step: Step, at: number): Step => ({ ...step, id: step.id ?? `step ${at}` });
    const undone = edits.undone.map((step, at) => named(step, edits.steps.length + at));
    return { ...noEdits, ...edits, steps: edits.steps.map(named), undone };
  } catch {
    return noEdits;
  }
}
