/** A table whose rows are taken over from a damaged file. */
export interface RescuedTable {
  name: string;
  /** The name of its rows in a message. */
  entries: string;
  /** An SQL condition: only matching rows are taken over. */
  where?: string;
}

/** If entries of this name are lost, the message warns the user: a save that was running may have stored its rows. */
export const runningSaves = 'running saves';

/** In this order: a row must follow the row that it refers to. */
export const rescuedTables: readonly RescuedTable[] = [
  { name: 'connections', entries: 'connections' },
  { name: 'settings', entries: 'settings' },
  { name: 'ui_state', entries: 'settings' },
  { name: 'window_records', entries: 'open tabs' },
  { name: 'staged_lists', entries: 'unsaved edits' },
  { name: 'staged_commands', entries: 'unsaved edits' },
  // Without these two tables, the rows of a save that was running could be sent again.
  { name: 'saves', entries: runningSaves },
  { name: 'save_rows', entries: runningSaves },
  { name: 'copies', entries: 'copies' },
  // Without the keys and the newest sequence of a registry, Trestle could accept an old index.
  { name: 'registry', entries: 'driver registries' },
  // Without it, a client could write another hour's rows.
  { name: 'spent_rows', entries: 'counts of written rows' },
  // Calls that began and whose end was not logged. The next start logs these calls.
  { name: 'call_intents', entries: 'log entries' },
  { name: 'history', entries: 'history' },
  // The activity log starts again, so nothing was removed from it.
  { name: 'removals', entries: 'history', where: "kind <> 'activity'" },
];

/** Tables that a rescue leaves empty, and why. */
export const leftTables: Readonly<Record<string, string>> = {
  tokens: 'A damaged token might allow more than before.',
  activity: 'Each row seals the row before it. A log with a gap would look like a forged one.',
  activity_start: 'Belongs to the rows of the activity log.',
  activity_keys: 'Belongs to the rows of the activity log.',
  endpoint_approvals: 'The user is asked again. A damaged approval might send a key to another address.',
  kept_maps: 'Computed from rows of the database. Trestle computes a map again when it is opened.',
};
