import { connectionFileOf } from '../api/connection-file.ts';
import { askCore } from './ask-core.ts';
import { printJson } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const exportHelp = `Usage: trestle connections export

Prints the saved connections as a file for \`trestle connections import\`: all settings but secrets. Samples are left out.`;

export async function exportFile({ args, dist }: CommandContext): Promise<number> {
  if (!parse(args, exportHelp, { json: { type: 'boolean' } })) return 0;
  printJson(connectionFileOf(await askCore(dist, 'connections.list')));
  return 0;
}
