import { fileURLToPath } from 'node:url';
import { commands, helpText } from './cli/commands.ts';
import { endWhenOutputIsFull } from './cli/output-full.ts';
import { refuseOtherNode } from './required-node.ts';
import { version } from './version.ts';

/**
 * START HERE. Picks a command. Each command is imported only when it runs, so `status` does not load the whole app.
 * `trestle start` leads to app.ts, which wires the core, the window's listener, the MCP server and the window.
 */
async function main(args: string[]): Promise<number> {
  refuseOtherNode();
  // The launcher sets this variable for this process only. The browser that opens the window must not inherit it.
  delete process.env.MALLOC_ARENA_MAX;
  endWhenOutputIsFull();
  const [first, ...rest] = args;
  if (first === undefined || (first.startsWith('-') && !['--help', '-h', '--version'].includes(first))) {
    return run('start', args);
  }
  if (first === 'help' || first === '--help' || first === '-h') {
    console.log(helpText());
    return 0;
  }
  if (first === '--version') {
    console.log(version);
    return 0;
  }
  // On Linux and Windows, opening this URL starts the app with the URL as its argument. A bridge on Linux opens the
  // URL if the bridge finds no launcher of the app. On macOS, the script `trestle-link` handles the URL instead.
  if (first === 'trestle://integrations/start-mcp') {
    process.env.TRESTLE_STARTED_BY = 'bridge';
    return run('start', ['--no-window']);
  }
  if (Object.hasOwn(commands, first)) return run(first, rest);
  const { fail, printable } = await import('./cli/output.ts');
  return fail(`There is no command \`${printable(first)}\`. \`trestle --help\` lists the commands.`);
}

async function run(name: string, args: string[]): Promise<number> {
  const { execute } = await commands[name]!.load();
  const { runCommand } = await import('./cli/run-command.ts');
  return runCommand(execute, { args, dist: fileURLToPath(new URL('.', import.meta.url)) });
}

process.exitCode = await main(process.argv.slice(2));
