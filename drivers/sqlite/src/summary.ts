import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import { readingVerbs } from './decide-effect.ts';
import type { StatementShape } from './statement-shape.ts';

/** One line for a confirmation: `Delete every row of planets`, `Drop table planets`. */
export function summarize(shape: StatementShape, actions: Action[], everyRow: boolean): string {
  const named = actions.flatMap((action) => {
    const phrase = objectPhrases.get(action.code);
    return phrase && action.source === null ? [`${phrase} ${action.first}`] : [];
  });
  if (shape.explain) return 'Explain a statement';
  switch (shape.verb) {
    case 'DELETE':
      return `Delete ${everyRow ? 'every row' : 'rows'} of ${target(actions, c.SQLITE_DELETE)}`;
    case 'UPDATE':
      return `Update ${everyRow ? 'every row' : 'rows'} of ${target(actions, c.SQLITE_UPDATE)}`;
    case 'INSERT':
      return `Insert rows into ${target(actions, c.SQLITE_INSERT)}`;
    case 'REPLACE':
      return `Insert or replace rows of ${target(actions, c.SQLITE_INSERT)}`;
    case 'ALTER': {
      const table = actions.find((action) => action.code === c.SQLITE_ALTER_TABLE)?.second ?? '';
      return shape.drops ? `Alter table ${table}, dropping a part of it` : `Alter table ${table}`;
    }
    case 'PRAGMA':
      return `Read PRAGMA ${target(actions, c.SQLITE_PRAGMA)}`;
    case 'VACUUM':
      return 'Rebuild the database file';
    case 'ANALYZE':
      return 'Gather statistics for the query planner';
    case 'REINDEX':
      return 'Rebuild indexes';
    default:
      return (
        named[0] ?? (readingVerbs.has(shape.verb) ? readPhrase(actions) : `${shape.verb} without effect`)
      );
  }
}

function target(actions: Action[], code: number): string {
  return actions.find((action) => action.code === code && action.source === null)?.first ?? 'a table';
}

function readPhrase(actions: Action[]): string {
  const tables = new Set(
    actions.flatMap((action) => (action.code === c.SQLITE_READ && action.first ? [action.first] : [])),
  );
  return tables.size === 0 ? 'Compute values' : `Read ${[...tables].join(', ')}`;
}

const objectPhrases = new Map<number, string>([
  [c.SQLITE_DROP_TABLE, 'Drop table'],
  [c.SQLITE_DROP_VTABLE, 'Drop table'],
  [c.SQLITE_DROP_VIEW, 'Drop view'],
  [c.SQLITE_DROP_INDEX, 'Drop index'],
  [c.SQLITE_DROP_TRIGGER, 'Drop trigger'],
  [c.SQLITE_CREATE_TABLE, 'Create table'],
  [c.SQLITE_CREATE_VTABLE, 'Create table'],
  [c.SQLITE_CREATE_VIEW, 'Create view'],
  [c.SQLITE_CREATE_INDEX, 'Create index'],
  [c.SQLITE_CREATE_TRIGGER, 'Create trigger'],
]);
