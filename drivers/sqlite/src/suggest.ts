import { DriverError, nearestName } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { editorSchema } from './schema.ts';

/** If the error is about an unknown table or column, adds a hint with a similar name, if the schema has one. */
export function withSuggestion(error: DriverError, handle: Handle): DriverError {
  // SQLite's message for a column in double quotes goes on after the name.
  const [, kind, quoted, plain] =
    /^no such (table|column): (?:"(.+)" - should this be a string literal.*|(.+))$/.exec(error.message) ?? [];
  const name = (quoted ?? plain)?.split('.').at(-1);
  if (name === undefined) return error;
  const schema = editorSchema(handle);
  if (schema.language !== 'sql') return error;
  const names = kind === 'table' ? Object.keys(schema.tables) : Object.values(schema.tables).flat();
  const near = nearestName(name, names);
  if (near === undefined || near === name) return error;
  const { code, message } = error;
  return new DriverError({ code, message, hint: `Did you mean ${near}?` });
}
