/** A table whose rows are taken over from a damaged file. */
export interface RescuedTable {
  name: string;
  /** Only these rows. */
  where?: string;
}

/** In this order: a row must follow the row that it refers to. */
export const rescuedTables: readonly RescuedTable[] = [
  { name: 'connections' },
  { name: 'settings' },
  { name: 'ui_state' },
  { name: 'window_records' },
  // Without the journal, a save that was running would be sent again.
  { name: 'saves' },
  { name: 'save_rows' },
  { name: 'copies' },
  // The keys and the newest index that were seen. Without them an old index would be accepted.
  { name: 'registry' },
  // The end of these calls was lost. The log must say so.
  { name: 'call_intents' },
  { name: 'history' },
  // The activity log starts again, so nothing was removed from it.
  { name: 'removals', where: "kind <> 'activity'" },
];

/** Tables that a rescue leaves empty, and why. */
export const leftTables: Readonly<Record<string, string>> = {
  tokens: 'A damaged token might allow more than before.',
  activity: 'Each row seals the row before it. A log with a gap would look like a forged one.',
  activity_start: 'Belongs to the rows of the activity log.',
  activity_keys: 'Belongs to the rows of the activity log.',
  kept_maps: 'Computed from rows of the database. Trestle computes a map again when it is opened.',
};
