import { undoConfig, type WriteOptions, writeConfig } from '../client-setup/write-config.ts';
import { openDataDirectory } from '../data-directory.ts';
import { printJson } from './output.ts';
import { asTyped } from './own-command.ts';

/** `trestle connect … --write` and `--undo`. */
export function changeConfig(
  options: WriteOptions,
  flags: { undo: boolean; replace?: boolean | undefined; json?: boolean | undefined },
): number {
  // The backup of the file may contain keys, so it goes into the private data directory.
  openDataDirectory();
  const { label, id } = options.client;
  if (flags.undo) {
    const undone = undoConfig(options);
    if (flags.json) printJson(undone);
    else console.log(undoneWords[undone.outcome](undone.path));
    return 0;
  }
  const written = writeConfig({ ...options, replace: flags.replace ?? false });
  if (flags.json) printJson(written);
  else if (written.outcome === 'present') console.log(`${label} already has Trestle: ${written.path}`);
  else {
    console.log(`Added Trestle to ${label}: ${written.path}`);
    if (!written.created) console.log(`The earlier file is kept in ${written.backup}`);
    const undo = `\`trestle connect ${id} --undo${options.flags ?? ''}\` undoes the change.`;
    console.log(asTyped(`${options.client.afterwards} ${undo}`));
  }
  return 0;
}

const undoneWords = {
  restored: (path: string) => `${path} has its earlier content again.`,
  removed: (path: string) => `Trestle had created ${path}, so it was removed.`,
  entry: (path: string) =>
    `${path} has changed since Trestle wrote it, so only Trestle's entry was undone, if it was still there.`,
};
