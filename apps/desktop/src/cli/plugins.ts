import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, type DetailedJob } from '@trestle/core';
import { sizeText } from '@trestle/driver-kit';
import { callRunningApp, notRunning } from '../control/client.ts';
import { openDataDirectory } from '../data-directory.ts';
import { askCore } from './ask-core.ts';
import { printable, printJson, printTable } from './output.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { family } from './subcommands.ts';
import { withCore } from './with-core.ts';

const help = `Usage: trestle plugins list|search|install|update|remove|trust|new|check|pack

  list [--json]           list the installed drivers
  search [TEXT] [--json]  list the drivers of the registry
  install ID-or-FILE      install a driver from the registry, or from a package file
  update [ID]             install the newest version of one driver, or of all
  remove ID               remove an installed driver
  trust FINGERPRINT       trust the key of the registry that TRESTLE_REGISTRY or Settings names
  new FOLDER              create a small working driver to start from
  check FOLDER            run the contract suite on the driver in a folder
  pack FOLDER             pack the driver in a folder into a package file

Each subcommand takes --help.`;

export const execute = family(help, {
  list: async () => list,
  search: async () => search,
  install: async () => install,
  update: async () => update,
  remove: async () => remove,
  trust: async () => trust,
  new: async () => (await import('./plugins-new.ts')).execute,
  check: async () => (await import('./plugins-check.ts')).execute,
  pack: async () => (await import('./plugins-pack.ts')).execute,
});

const one = { min: 1, max: 1 };
const json = { json: { type: 'boolean' } } as const;

const listHelp = `Usage: trestle plugins list [--json]

Lists the installed drivers.`;

async function list({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, listHelp, json);
  if (!parsed) return 0;
  const drivers = await askCore(dist, 'plugins.list');
  if (parsed.values.json) printJson(drivers);
  else {
    printTable(
      ['name', 'version', 'source', 'id'],
      drivers.map(({ name, version, bundled, publisher, id }) => [
        name,
        version,
        bundled ? 'bundled' : (publisher ?? 'a file'),
        id,
      ]),
    );
  }
  return 0;
}

const searchHelp = `Usage: trestle plugins search [TEXT] [--json]

Lists the drivers of the registry whose id, name or summary contains TEXT.`;

async function search({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, searchHelp, json, { min: 0, max: 1 });
  if (!parsed) return 0;
  const found = await askCore(dist, 'plugins.search');
  const text = (parsed.positionals[0] ?? '').toLowerCase();
  const drivers = found.drivers.filter(({ manifest: { id, name, summary } }) =>
    `${id} ${name} ${summary}`.toLowerCase().includes(text),
  );
  const { problem } = found.registry;
  if (parsed.values.json) printJson({ ...found, drivers });
  else {
    if (problem) console.error(printable([problem.message, problem.hint].filter(Boolean).join('. ')));
    if (drivers.length === 0 && found.drivers.length > 0) {
      console.error(printable(`No driver of the registry contains "${parsed.positionals[0]}".`));
      return 0;
    }
    if (problem && drivers.length === 0) return 1;
    printTable(
      ['name', 'version', 'size', 'installed', 'id'],
      drivers.map(({ manifest, size, installed, unavailable }) => [
        manifest.name,
        manifest.version,
        sizeText(size),
        unavailable ?? installed ?? '',
        manifest.id,
      ]),
    );
  }
  return problem && found.drivers.length === 0 ? 1 : 0;
}

const installHelp = `Usage: trestle plugins install ID-or-FILE [--json]

Installs the newest version of a driver from the registry, or the driver in a package file (.tgz). The package is
verified and loaded once in its own process. It replaces any other version. A version from the registry waits until
the driver's connections are closed; the command names them. A package file is refused while they are open. A package
that is refused leaves nothing behind.`;

async function install({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, installHelp, json, one);
  if (!parsed) return 0;
  const [what = ''] = parsed.positionals;
  // The path is resolved here, because the app may have another working directory than the command.
  const driver = isFile(what)
    ? await askCore(dist, 'plugins.installFile', resolve(what))
    : await installListed(dist, what);
  if (parsed.values.json) printJson(driver);
  else console.log(printable(`Installed ${driver.name} ${driver.version}.`));
  return 0;
}

/** Installs a driver of the registry. Prints a message if the install waits for connections of the running app. */
async function installListed(dist: string, id: string) {
  const install = askCore(dist, 'plugins.install', id);
  let isOver = false;
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    const words = await wordsOfWait(id).catch(() => undefined);
    isAsking = false;
    if (words === undefined || isOver) return;
    clearInterval(timer);
    console.error(printable(`${words}. Ctrl-C ends the wait.`));
  }, 500);
  return install.finally(() => {
    isOver = true;
    clearInterval(timer);
  });
}

async function wordsOfWait(id: string): Promise<string | undefined> {
  // Without a running app no connection is open.
  const answer = await callRunningApp(openDataDirectory(), 'jobs.get', `install ${id}`);
  if (answer === notRunning) return undefined;
  const { progress, detail } = answer as DetailedJob<'install'>;
  return detail.steps.at(-1) === 'wait' ? progress.words : undefined;
}

/**
 * Whether the argument is a path. An id has neither a dot nor a slash. An argument that could be an id is a path only if
 * a file has this name. A folder does not count, because a folder of `plugins new` has its driver's id as its name.
 */
function isFile(what: string): boolean {
  return (
    !/^[a-z][a-z0-9-]*$/.test(what) || statSync(what, { throwIfNoEntry: false })?.isDirectory() === false
  );
}

const updateHelp = `Usage: trestle plugins update [ID] [--json]

Installs the newest version of one installed driver, or of all. An update waits until the connections of
its driver are closed.`;

async function update({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, updateHelp, json, { min: 0, max: 1 });
  if (!parsed) return 0;
  const [id] = parsed.positionals;
  const { drivers, registry } = await askCore(dist, 'plugins.search');
  if (registry.problem) throw new AppError(registry.problem);
  const chosen = id === undefined ? drivers : drivers.filter(({ manifest }) => manifest.id === id);
  if (id !== undefined && chosen[0]?.installed == null) {
    throw new AppError({
      code: 'not_found',
      message: chosen.length > 0 ? `The driver ${id} is not installed` : `The registry has no driver ${id}`,
    });
  }
  const waiting = chosen.filter(({ isUpdate }) => isUpdate);
  const updated = [];
  try {
    for (const { manifest } of waiting) {
      const driver = await installListed(dist, manifest.id);
      updated.push(driver);
      if (!parsed.values.json) console.log(printable(`Updated ${driver.name} to ${driver.version}.`));
    }
  } finally {
    if (parsed.values.json) printJson(updated);
  }
  if (!parsed.values.json && waiting.length === 0) console.log('There is nothing to update.');
  return 0;
}

const removeHelp = `Usage: trestle plugins remove ID [--json]

Removes an installed driver. Its connections are kept, and open again once the driver is installed again.`;

async function remove({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, removeHelp, json, one);
  if (!parsed) return 0;
  const id = parsed.positionals[0]!;
  await askCore(dist, 'plugins.remove', id);
  if (parsed.values.json) printJson({ id });
  else console.log(`Removed ${id}.`);
  return 0;
}

const trustHelp = `Usage: trestle plugins trust FINGERPRINT

Trusts the key of the registry that TRESTLE_REGISTRY or Settings names. \`trestle plugins search\` shows the fingerprint.
First compare it with the one that the registry's owner gives.`;

async function trust({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, trustHelp, {}, { min: 1, max: 8 });
  if (!parsed) return 0;
  // Both calls must reach the same core: only the core that read the index knows the key to trust.
  await withCore(dist, async (ask) => {
    await ask('plugins.search', null);
    await ask('plugins.confirmRegistry', parsed.positionals.join(' '));
  });
  console.log('The registry is trusted.');
  return 0;
}
