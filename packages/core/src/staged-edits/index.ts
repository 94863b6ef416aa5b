/** The staged edits as core and windows apply them. Nothing in this folder may import Node or the rest of the core. */
export * from './commands.ts';
export { unpackEdits } from './packed-edits.ts';
export { rowId, rowKeys } from './row-id.ts';
export { setOwnValue } from './set-own-value.ts';
export { changesSent, deletedTooLate } from './settle.ts';
export * from './staged-edits.ts';
