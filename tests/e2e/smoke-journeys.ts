/** The journeys of `npm test`, one or more for each panel, by file. `npm run test:all` runs all journeys. */
export const smokeJourneys: Record<string, string[]> = {
  'home.test.ts': [
    'the first screen offers a search that finds the right rows',
    'a connection opens on its collections, each with its number of objects or the word Tenants',
  ],
  'connections.test.ts': ['makes a connection, tests it, opens it, edits it and deletes it'],
  'browse.test.ts': [
    'opens the sample, a table, and moves in its rows',
    'filters by column, operator and value, and shows the applied filter',
    'a header sorts rows ascending, then descending, then not at all',
    'pages forward and back after a change of the page size',
    'a reload restores tabs, the text of a query and unsaved edits',
  ],
  'filters.test.ts': ['a filter with a list of values is combined with another filter by or'],
  'columns.test.ts': [
    'by mouse: the menu button, Shift+click for a second sort, dragging, and a double click that fits the width',
  ],
  'edit.test.ts': [
    'edits a cell, previews the statements, and saves the edit',
    'a new row and a deletion are saved after undo and redo of the deletion',
  ],
  'paste.test.ts': ['copied cells of many types are pasted unchanged, also into other rows'],
  'cells.test.ts': ['the look of a cell depends on its type, and a copy has the exact values'],
  'change-list.test.ts': [
    'a listed change shows the old and the new value, links to its row, and can be reverted',
  ],
  'inspector.test.ts': ['the inspector shows a row with its vector, follows the cursor, and stages edits'],
  'references.test.ts': ['a click on a reference opens its target'],
  'rows.test.ts': ['the search uses the alpha that the slider shows'],
  'weaviate-sample.test.ts': ['the sample is searched by meaning, edited, and restored'],
  'structure.test.ts': [
    "a table's structure shows its columns, keys, indexes and statement",
    'a table with tenants first shows only its tenants',
  ],
  'table-menu.test.ts': [
    'the dialog that deletes a table counts the lost rows, and requires the name of the table',
  ],
  'query.test.ts': [
    'the editor runs a statement and shows its rows',
    'a wrong statement gets the database’s message; of two statements, the statement at the cursor runs',
    'the app asks before a destructive statement, and does not run it if the user declines',
    'the history finds a statement and puts it back into the editor',
  ],
  'editor-queries.test.ts': ['REST paths are completed, with collections and parameters'],
  'search-lab.test.ts': [
    'one query in three searches: ranks, overlap, alpha, reasons, and rows that only one search found',
  ],
  'vector-map.test.ts': ['a map that failed has no tools, search or colours, and Try again brings them'],
  'neighbours.test.ts': ['near rows of a SQLite table with vectors are found by an exact scan'],
  'export.test.ts': ['the selected rows, the page and all rows are exported'],
  'copy.test.ts': ['a copy of a table gets another name, is checked, and is listed in the sidebar'],
  'integrations.test.ts': ['the page shows the clients, their calls, and whether the log was changed'],
  'approvals.test.ts': ['a refusal tells the client what to do, and applies to the next call too'],
  'questions.test.ts': [
    'before a table or a connection is deleted, the dialog names the connection and its word',
  ],
  'settings.test.ts': [
    'a chosen theme is applied, and is kept over a reload',
    'a new token is shown once, and works until it is revoked',
  ],
  'plugins.test.ts': ['a new connection offers the download of its driver before the form opens'],
  'find.test.ts': ['finds text in the page by keys, goes through the matches and back to the grid'],
  'recovery.test.ts': ['a reload and a second window of the same browser need no new link'],
  'narrow-window.test.ts': [
    'in a narrow window the rows take most of the width, and the sidebar closes after use',
  ],
};

const names = new Set(Object.values(smokeJourneys).flat());

/** Whether this run leaves the journey out. */
export function isLeftOut(name: string): boolean {
  return process.env.TRESTLE_TESTS === 'quick' && !names.has(name);
}
