import { UsageError } from './parse.ts';
import type { CommandContext, Execute } from './run-command.ts';

/** A command with subcommands: `trestle tokens create`. */
export function family(help: string, members: Record<string, () => Promise<Execute>>): Execute {
  return async ({ args, dist }: CommandContext) => {
    const [name, ...rest] = args;
    if (name === '--help' || name === '-h' || name === 'help') {
      console.log(help);
      return 0;
    }
    if (name === undefined) throw new UsageError('Name a subcommand.', help);
    if (!Object.hasOwn(members, name)) throw new UsageError(`There is no subcommand \`${name}\`.`, help);
    return (await members[name]!())({ args: rest, dist });
  };
}
