import { constants as c } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';

/** Why the driver refuses this action at any ceiling. Null if the action is not refused. */
export function refusalOf(action: Action, phase: 'compile' | 'execute'): string | null {
  const { code, first, second } = action;
  switch (code) {
    case c.SQLITE_ATTACH:
      // VACUUM attaches an unnamed temporary database while it runs.
      return phase === 'execute' && first === ''
        ? null
        : 'ATTACH is refused: a connection reaches its own file and no other.';
    case c.SQLITE_DETACH:
      return 'DETACH is refused: a connection reaches its own file and no other.';
    case c.SQLITE_TRANSACTION:
    case c.SQLITE_SAVEPOINT:
      // Full-text indexes and VACUUM use their own transactions while they run.
      return phase === 'execute'
        ? null
        : 'Transaction control is refused: each statement runs in its own transaction.';
    case c.SQLITE_PRAGMA:
      return pragmaRefusal((first ?? '').toLowerCase(), second);
    case c.SQLITE_FUNCTION:
      return refusedFunctions.has((second ?? '').toLowerCase())
        ? `The function ${second} is refused: it reaches outside the database.`
        : null;
    case c.SQLITE_CREATE_TEMP_INDEX:
    case c.SQLITE_CREATE_TEMP_TABLE:
    case c.SQLITE_CREATE_TEMP_TRIGGER:
    case c.SQLITE_CREATE_TEMP_VIEW:
      return temporaryObjects;
    case c.SQLITE_CREATE_INDEX:
    case c.SQLITE_CREATE_TABLE:
    case c.SQLITE_CREATE_TRIGGER:
    case c.SQLITE_CREATE_VIEW:
    case c.SQLITE_CREATE_VTABLE:
      return action.database === 'temp' ? temporaryObjects : null;
    default:
      return null;
  }
}

const temporaryObjects = 'Temporary objects are refused: they would be gone before the next statement.';

function pragmaRefusal(name: string, argument: string | null): string | null {
  if (readsWithArgument.has(name)) return null;
  if (!readsWithoutArgument.has(name))
    return `PRAGMA ${name} is refused: only certain PRAGMAs that read can run.`;
  return argument === null ? null : `Setting PRAGMA ${name} is refused: it can be read, not changed.`;
}

const readsWithArgument = new Set([
  'foreign_key_check',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
]);

const readsWithoutArgument = new Set([
  'application_id',
  'auto_vacuum',
  'cache_size',
  'collation_list',
  'compile_options',
  'data_version',
  'database_list',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'function_list',
  'journal_mode',
  'locking_mode',
  'max_page_count',
  'mmap_size',
  'module_list',
  'page_count',
  'page_size',
  'pragma_list',
  'recursive_triggers',
  'schema_version',
  'secure_delete',
  'synchronous',
  'trusted_schema',
  'user_version',
]);

/** Functions for files, extensions, the error log and raw pointers. Some do not exist in every build of SQLite. */
const refusedFunctions = new Set([
  'edit',
  'fsdir',
  'fts3_tokenizer',
  'load_extension',
  'lsmode',
  'readfile',
  'sqlite_log',
  'writefile',
  'zipfile',
]);
