import { family } from './subcommands.ts';

const help = `Usage: trestle connections list|add|import|export|remove|test|reset

  list [--json]                 list the saved connections
  add --driver ID --name NAME   save a connection; the driver's fields are flags
  import FILE [--replace]       save the connections of a file
  export                        print the saved connections, without secrets, as such a file
  remove NAME-or-ID             forget a connection
  test NAME-or-ID               try to connect
  reset NAME-or-ID              put a sample back as it came

Each takes --help.`;

export const execute = family(help, {
  list: async () => (await import('./connections-list.ts')).list,
  add: async () => (await import('./connections-add.ts')).add,
  import: async () => (await import('./connections-import.ts')).importFile,
  export: async () => (await import('./connections-import.ts')).exportAll,
  remove: async () => (await import('./connections-one.ts')).remove,
  test: async () => (await import('./connections-one.ts')).test,
  reset: async () => (await import('./connections-one.ts')).reset,
});
