import { type Completion, startCompletion } from '@codemirror/autocomplete';
import { sql, SQLite as sqlDialect } from '@codemirror/lang-sql';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { EditorSchema } from '@trestle/driver-kit';

export function sqlExtension(given: EditorSchema | undefined): Extension {
  const tables = given?.language === 'sql' ? given.tables : {};
  const language = sql({
    dialect: sqlDialect,
    schema: Object.fromEntries(
      Object.entries(tables).map(([name, columns]) => [
        // The library splits a name at each dot that is not escaped.
        name.replaceAll('.', '\\.'),
        {
          // Users want a table or column more often than a keyword with the same start.
          self: { ...named(name, 'type'), boost: 10 },
          children: columns.map((column) => named(column, 'property')),
        },
      ]),
    ),
    keywordCompletion: (label, type) => ({ label, type, boost: -99 }),
  });
  return [language, offersTables];
}

/** A table follows these words, so the tables are offered before the user types a letter. */
const beforeTable = /\b(from|join|into|update|table) $/i;
const proseNodes = ['String', 'LineComment', 'BlockComment', 'QuotedIdentifier'];

const offersTables = EditorView.updateListener.of(({ state, view, transactions }) => {
  if (!transactions.some((transaction) => transaction.isUserEvent('input.type'))) return;
  const { main } = state.selection;
  const { from, text } = state.doc.lineAt(main.head);
  if (!main.empty || !beforeTable.test(text.slice(0, main.head - from))) return;
  if (!proseNodes.includes(syntaxTree(state).resolveInner(main.head, -1).name)) startCompletion(view);
});

function named(name: string, type: string): Completion {
  return /^[a-z_]\w*$/i.test(name)
    ? { label: name, type }
    : { label: name, type, apply: `"${name.replaceAll('"', '""')}"` };
}
