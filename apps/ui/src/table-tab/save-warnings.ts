import type { ChangeOutcome } from '@trestle/driver-kit';

/** Warnings about rows that the running save has stored. They are shown once, when the save ends. */
export function createSaveWarnings() {
  /** By row: a window that follows another window's save reads the same outcomes again and again. */
  const known = new Map<string, string>();
  let save: string | null = null;
  /** If another window ends a save, this window may never call `take`. The next save must not show the old warnings. */
  const begin = (id: string) => {
    if (save !== id) known.clear();
    save = id;
  };
  return {
    note(id: string, outcomes: ChangeOutcome[]) {
      begin(id);
      for (const { id: row, warning } of outcomes) if (warning) known.set(row, warning);
    },
    /** Returns the warnings of the save and forgets them. */
    take(id: string): string[] {
      begin(id);
      const texts = [...known.values()];
      known.clear();
      return texts;
    },
  };
}
