import type { Completion } from '@codemirror/autocomplete';
import { sql, SQLite as sqlDialect } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import type { EditorSchema } from '@trestle/driver-kit';

export function sqlExtension(given: EditorSchema | undefined): Extension {
  const tables = given?.language === 'sql' ? given.tables : {};
  return sql({
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
}

function named(name: string, type: string): Completion {
  return /^[a-z_]\w*$/i.test(name)
    ? { label: name, type }
    : { label: name, type, apply: `"${name.replaceAll('"', '""')}"` };
}
