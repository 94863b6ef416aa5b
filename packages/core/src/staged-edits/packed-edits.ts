import { packWire, unpackWire } from '@trestle/driver-kit';
import { noEdits, type RunningSave, type StagedEdits, type Step } from './staged-edits.ts';

/** Staged edits as bytes. Plain JSON cannot hold 64-bit integers and bytes. */
export function packEdits(edits: StagedEdits): Uint8Array {
  const { steps, saving } = edits;
  if (!saving) return packWire(edits);
  // A save sends most steps unchanged. Their cells may contain megabytes, so these steps are stored only once.
  const known = new Set(steps);
  const sent = saving.sent.map((step) => (known.has(step) ? { same: step.id } : step));
  return packWire({ ...edits, saving: { ...saving, sent } });
}

/** Null if the bytes are damaged. */
export function unpackEdits(bytes: Uint8Array): StagedEdits | null {
  try {
    const edits = unpackWire(bytes) as StagedEdits;
    if (!Array.isArray(edits.steps) || !Array.isArray(edits.undone) || !edits.failures) return null;
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
    return null;
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
