import { family } from './subcommands.ts';

const help = `Usage: trestle connections list|add|edit|import|export|remove|test|connect|disconnect|reset

  list [--json]                 list the saved connections
  add --driver ID --name NAME   save a connection; the driver's fields are flags
  edit NAME-or-ID               change the given settings of a connection
  import FILE [--replace]       save the connections of a file
  export                        print the saved connections as a file for "import", without secrets
  remove NAME-or-ID             forget a connection
  test NAME-or-ID               try to connect, and disconnect
  connect NAME-or-ID            open a connection in the running Trestle
  disconnect NAME-or-ID         close a connection in the running Trestle
  reset NAME-or-ID              restore the original data of a sample

Each subcommand takes --help.`;

export const execute = family(help, {
  list: async () => (await import('./connections-list.ts')).list,
  add: async () => (await import('./connections-add.ts')).add,
  edit: async () => (await import('./connections-edit.ts')).edit,
  import: async () => (await import('./connections-import.ts')).importFile,
  export: async () => (await import('./connections-export.ts')).exportFile,
  remove: async () => (await import('./connections-one.ts')).remove,
  test: async () => (await import('./connections-one.ts')).test,
  connect: async () => (await import('./connections-open.ts')).connect,
  disconnect: async () => (await import('./connections-open.ts')).disconnect,
  reset: async () => (await import('./connections-one.ts')).reset,
});
