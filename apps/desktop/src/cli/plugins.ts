import { resolve } from 'node:path';
import { askCore } from './ask-core.ts';
import { printJson, printTable } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { family } from './subcommands.ts';

const help = `Usage: trestle plugins list|install|remove

  list [--json]     list the drivers
  install FILE      install a driver from its package
  remove ID         remove an installed driver

Each takes --help.`;

export const execute = family(help, {
  list: async () => list,
  install: async () => install,
  remove: async () => remove,
});

const one = { min: 1, max: 1 };
const json = { json: { type: 'boolean' } } as const;

async function list({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, 'Usage: trestle plugins list [--json]', json);
  if (!parsed) return 0;
  const drivers = await askCore(dist, 'plugins.list');
  if (parsed.values.json) printJson(drivers);
  else {
    printTable(
      ['name', 'version', 'source', 'id'],
      drivers.map(({ name, version, bundled, id }) => [name, version, bundled ? 'bundled' : 'installed', id]),
    );
  }
  return 0;
}

const installHelp = `Usage: trestle plugins install FILE [--json]

Checks the driver in a package (.tgz), loads it once in a process of its own, and installs it. It takes the place
of any other version, whose connections must be closed. A package that is refused leaves nothing behind.`;

async function install({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, installHelp, json, one);
  if (!parsed) return 0;
  // The app does not run in the folder where the command was given.
  const driver = await askCore(dist, 'plugins.install', resolve(parsed.positionals[0]!));
  if (parsed.values.json) printJson(driver);
  else console.log(`Installed ${driver.name} ${driver.version}.`);
  return 0;
}

const removeHelp = `Usage: trestle plugins remove ID [--json]

Removes an installed driver. Its connections are kept, and work again once it is installed again.`;

async function remove({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, removeHelp, json, one);
  if (!parsed) return 0;
  const id = parsed.positionals[0]!;
  await askCore(dist, 'plugins.remove', id);
  if (parsed.values.json) printJson({ id });
  else console.log(`Removed ${id}.`);
  return 0;
}
