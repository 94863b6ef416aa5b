import { packWire, unpackWire } from '@trestle/driver-kit';
import { fromBase64, toBase64 } from './base64.ts';
import { noEdits, type RunningSave, type StagedEdits, type Step } from './staged-edits.ts';

/** Staged edits as text for storage. Plain JSON cannot hold 64-bit integers and bytes. */
export function packEdits(edits: StagedEdits): string {
  const { steps, saving } = edits;
  if (!saving) return toBase64(packWire(edits));
  // A save sends most steps unchanged. Their cells may contain megabytes, so these steps are stored only once.
  const known = new Set(steps);
  const sent = saving.sent.map((step) => (known.has(step) ? { same: step.id } : step));
  return toBase64(packWire({ ...edits, saving: { ...saving, sent } }));
}

/** Unreadable edits are dropped: they must not prevent a table from opening. */
export function unpackEdits(text: unknown): StagedEdits {
  if (typeof text !== 'string' || text === '') return noEdits;
  try {
    const edits = unpackWire(fromBase64(text)) as StagedEdits;
    if (!Array.isArray(edits.steps) || !Array.isArray(edits.undone) || !edits.failures) return noEdits;
    // Earlier versions stored only these three fields, and steps without an id.
    const named = (step: Step, at: number): Step => ({ ...step, id: step.id ?? `step ${at}` });
    const undone = edits.undone.map((step, at) => named(step, edits.steps.length + at));
    const steps = edits.steps.map(named);
    return {
      ...noEdits,
      ...edits,
      steps,
      undone,
      saving: edits.saving ? withSent(edits.saving, steps) : null,
    };
  } catch {
    return noEdits;
  }
}

function withSent(saving: RunningSave, steps: Step[]): RunningSave {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const stored = saving.sent as (Step | { same: string })[];
  return {
    ...saving,
    sent: stored.flatMap((step) => ('same' in step ? (byId.get(step.same) ?? []) : [step])),
  };
}
