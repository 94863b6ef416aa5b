import type { AppStatus } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { waitingWords } from '../waiting-words.ts';
import { printJson } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle status [--json]

Says whether Trestle runs. If it does, also prints its process, its version, the address of its window, the port of
its MCP server, its data directory, and how many questions of AI clients wait for you.
Exits with 0 when it runs and with 3 when it does not.`;

/** The exit code of init scripts for "not running". */
const stoppedCode = 3;

export async function execute({ args }: CommandContext): Promise<number> {
  const parsed = parse(args, help, { json: { type: 'boolean' } });
  if (!parsed) return 0;
  const status = (await callRunningApp(dataDirectory(), 'status')) as AppStatus | typeof notRunning;
  if (parsed.values.json) {
    printJson(status === notRunning ? { state: 'stopped', dataDirectory: dataDirectory() } : status);
  } else if (status === notRunning) console.log('Trestle is not running.');
  else {
    console.log(`Trestle ${status.version} is running (process ${status.pid})`);
    console.log(`Window      ${status.uiAddress}`);
    const mcp = status.mcpPort ? `port ${status.mcpPort}` : (status.mcpProblem ?? status.mcpState);
    console.log(`MCP server  ${mcp}`);
    if (status.mcpPort && status.mcpProblem) console.log(`            ${status.mcpProblem}`);
    console.log(`Data        ${status.dataDirectory}`);
    if (status.logProblem) {
      console.log(
        `            Calls cannot be logged, so those of clients are refused: ${status.logProblem}.`,
      );
    }
    if (status.questions > 0) console.log(`Questions   ${asTyped(waitingWords(status.questions))}`);
    if (status.damage) console.log(`            ${status.damage}`);
  }
  return status === notRunning ? stoppedCode : 0;
}
