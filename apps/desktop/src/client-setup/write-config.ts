import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@trestle/core';
import { ownValue } from '@trestle/driver-kit';
import { type Backup, Backups, digest } from './backups.ts';
import type { BridgeCommand } from './bridge-command.ts';
import { type Client, type ClientConfig, entryOf, environmentKeyOf, serverName } from './clients.ts';
import { isSame, missingFolder, readConfigFile, removeConfigFile, replaceConfigFile } from './config-file.ts';
import { type ConfigText, isMap } from './config-text.ts';
import { expectInside } from './inside-workspace.ts';
import { jsonConfig } from './json-config.ts';
import { yamlConfig } from './yaml-config.ts';
import { yamlFileConfig } from './yaml-file-config.ts';

export interface WriteOptions {
  client: Client;
  /** The configuration file. */
  path: string;
  bridge: BridgeCommand;
  dataDirectory: string;
  /** The data directory in the entry, if it is not the default. */
  home?: string;
  /** The command-line flags that select this file. Hints repeat them. */
  flags?: string;
  /** The project folder that contains the file, if any. */
  workspace?: string;
}

type WriteOutcome =
  | { outcome: 'present'; path: string }
  /** `created`: Trestle created the file, now or in an earlier write, so the backup has no content. */
  | { outcome: 'written'; path: string; backup: string; created: boolean };

type UndoOutcome = {
  /**
   * `restored`: the file has its original bytes. `removed`: the file was deleted, because we had created it. `entry`: the
   * file has changed since our write, so only our entry was removed, or exchanged for the entry that it had replaced. If
   * our entry was gone already, nothing was changed.
   */
  outcome: 'restored' | 'removed' | 'entry';
  path: string;
};

/**
 * The change that `writeConfig` makes. `conflict`: the change overwrites an entry or a file, which `writeConfig` does
 * only with `replace`.
 */
export function planConfig({ client, path, bridge, dataDirectory, home, workspace }: WriteOptions) {
  if (workspace !== undefined) expectInside(workspace, path);
  const bytes = readConfigFile(path);
  const { mark, text } = decode(bytes, path);
  const config = configText(client.config, path);
  const before = config.read(text);
  const entry = entryOf(client.config, bridge, home);
  const existing = entryIn(before, client.config, path);
  const isUndoable = bytes !== null && new Backups(dataDirectory).get(client.id, path) !== undefined;
  const isPresent = isServedBy(client.config, existing, entry);
  const after = isPresent ? text : config.set(text, entry);
  const expected = isPresent ? existing : entry;
  expectOnlyEntry(client.config, { path, before, after: config.read(after), entry: expected });
  // In a file for one server, content without our entry is a conflict.
  const isTaken = existing !== undefined || (client.config.format === 'yamlFile' && text.trim() !== '');
  const state = isPresent ? 'present' : isTaken ? 'conflict' : 'missing';
  return { state, bytes, text, after, existing, isUndoable, result: encode(mark, after) } as const;
}

/**
 * Adds the bridge to a client's configuration. All other settings stay, with one exception: in the format for one
 * server, `replace` overwrites a file that lacks our entry.
 */
export function writeConfig(options: WriteOptions & { replace: boolean }): WriteOutcome {
  const { client, path } = options;
  const { state, bytes, existing, result } = planConfig(options);
  if (state === 'present') return { outcome: 'present', path };
  if (state === 'conflict' && !options.replace) throw different(options, existing);
  const backups = new Backups(options.dataDirectory);
  const earlier = backups.get(client.id, path);
  // If only Trestle has changed the file since its first write, undo must still restore the content before that write.
  const first = earlier && bytes && earlier.written === digest(bytes) ? earlier : undefined;
  const backup: Backup = {
    version: 1,
    path,
    original: first ? first.original : (bytes?.toString('base64') ?? null),
    written: digest(result),
    replaced: first ? first.replaced : isMap(existing) ? existing : null,
    // Noted before the write: if the write fills the disk, the backup could not be changed afterwards.
    madeFolder: first ? first.madeFolder : missingFolder(path),
  };
  const restore = backups.set(client.id, backup);
  try {
    replaceConfigFile(path, result, bytes);
  } catch (error) {
    // Nothing was written, so there is nothing new to undo.
    restore();
    throw error;
  }
  backups.keep(client.id, path);
  const created = backup.original === null;
  return { outcome: 'written', path, backup: backups.pathOf(client.id, path), created };
}

/**
 * Restores the original bytes, or deletes a file that we created. If the file has changed since our write, only our entry
 * is removed, or exchanged for the entry that it had replaced.
 */
export function undoConfig({ client, path, dataDirectory, workspace }: WriteOptions): UndoOutcome {
  if (workspace !== undefined) expectInside(workspace, path);
  const backups = new Backups(dataDirectory);
  const backup = backups.get(client.id, path);
  const bytes = readConfigFile(path);
  if (!backup) {
    throw new AppError({
      code: 'not_found',
      message: `There is nothing to undo: Trestle has no backup of ${path}`,
    });
  }
  if (bytes === null) {
    throw new AppError({
      code: 'not_found',
      message: `There is nothing to undo: the file ${path} no longer exists`,
    });
  }
  const isUntouched = digest(bytes) === backup.written;
  if (isUntouched && backup.original === null) removeConfigFile(path, backup.madeFolder);
  else if (isUntouched) replaceConfigFile(path, Buffer.from(backup.original ?? '', 'base64'), bytes);
  else removeEntry(client.config, { path, bytes, replaced: backup.replaced });
  backups.remove(client.id, path);
  const outcome = !isUntouched ? 'entry' : backup.original === null ? 'removed' : 'restored';
  return { outcome, path };
}

function removeEntry(
  config: ClientConfig,
  { path, bytes, replaced }: { path: string; bytes: Buffer; replaced: Record<string, unknown> | null },
): void {
  const { mark, text } = decode(bytes, path);
  const edit = configText(config, path);
  const before = edit.read(text);
  if (entryIn(before, config, path) === undefined) return;
  const after = replaced ? edit.set(text, replaced) : edit.remove(text);
  expectOnlyEntry(config, { path, before, after: edit.read(after), entry: replaced ?? undefined });
  const result = encode(mark, after);
  if (!isSame(result, bytes)) replaceConfigFile(path, result, bytes);
}

/**
 * Whether the existing entry starts this bridge. The user or the client may have added settings to our entry, such as a
 * timeout. Other arguments, and variables that load code, are not allowed, because they change which code runs.
 */
function isServedBy(config: ClientConfig, existing: unknown, entry: Record<string, unknown>): boolean {
  if (!isMap(existing)) return false;
  const { args = [], ...rest } = existing;
  const environment = environmentKeyOf(config);
  // An entry for another data directory serves other connections, so it is not ours.
  if (homeIn(rest[environment]) !== homeIn(entry[environment])) return false;
  // In VS Code and Cursor, `envFile` names a file of variables. They may load code, and may change at any time.
  if (loadsCode(rest[environment]) || 'envFile' in rest) return false;
  const given = Object.entries(entry).filter(([name]) => name !== 'args' && name !== environment);
  return (
    isDeepStrictEqual(args, entry.args ?? []) &&
    given.every(([name, value]) => isDeepStrictEqual(rest[name], value))
  );
}

function homeIn(environment: unknown): unknown {
  return isMap(environment) ? ownValue(environment, 'TRESTLE_HOME') : undefined;
}

/** Whether a variable could make the bridge run foreign code. On Windows, names of variables ignore case. */
function loadsCode(environment: unknown): boolean {
  return isMap(environment) && Object.keys(environment).some((name) => loaderVariables.test(name));
}

const loaderVariables = /^(NODE_(OPTIONS|PATH)|LD_.*|DYLD_.*|PATH|BASH_ENV|BASH_FUNC_.*|ENV)$/i;

function configText(config: ClientConfig, path: string): ConfigText {
  const { read, set, remove } = editorOf(config);
  return {
    read: (text) => parsing(path, () => read(text)),
    set: (text, entry) => parsing(path, () => set(text, entry)),
    remove: (text) => parsing(path, () => remove(text)),
  };
}

/**
 * Turns an error of the parser into a refusal that names the file. If the nesting is too deep, the parser throws a
 * RangeError.
 */
function parsing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unparsable(path, error instanceof RangeError ? 'it is nested too deep' : (error as Error).message);
  }
}

function unparsable(path: string, problem: string): AppError {
  return new AppError({
    code: 'invalid_argument',
    message: `${path} cannot be read as configuration: ${problem}`,
    hint: 'Nothing was changed. Repair the file, or change the entry by hand.',
  });
}

function editorOf(config: ClientConfig): ConfigText {
  if (config.format === 'yaml') return yamlConfig(config.key, serverName);
  if (config.format === 'yamlFile') return yamlFileConfig(config.key, serverName);
  return jsonConfig(config.key, serverName, { comments: config.format === 'jsonc' });
}

/** Our entry. The format for one server keeps it in a list. */
function entryIn(value: Record<string, unknown>, { key, format }: ClientConfig, path: string): unknown {
  const servers = ownValue(value, key);
  if (format === 'yamlFile' && Array.isArray(servers))
    return servers.find((one) => isMap(one) && one.name === serverName);
  if (servers !== undefined && servers !== null && !isMap(servers)) {
    throw new AppError({
      code: 'invalid_argument',
      message: `"${key}" in ${path} is not a map of servers`,
      hint: 'Nothing was changed. Repair the file, or change the entry by hand.',
    });
  }
  return isMap(servers) ? ownValue(servers, serverName) : undefined;
}

/**
 * Apart from our entry, the client must read the same settings as before, unless a file for one server is overwritten.
 * With a duplicate key, an anchor or a merge, an edit could land where the client does not look.
 */
function expectOnlyEntry(
  config: ClientConfig,
  {
    path,
    before,
    after,
    entry,
  }: { path: string; before: Record<string, unknown>; after: Record<string, unknown>; entry: unknown },
): void {
  const rest = (value: Record<string, unknown>) => {
    const servers = ownValue(value, config.key);
    const others = Array.isArray(servers)
      ? servers.filter((one) => !isMap(one) || one.name !== serverName)
      : Object.entries(isMap(servers) ? servers : {}).filter(([name]) => name !== serverName);
    return { ...value, [config.key]: others };
  };
  const isNewFile = config.format === 'yamlFile' && entryIn(before, config, path) === undefined;
  if (
    isDeepStrictEqual(entryIn(after, config, path), entry) &&
    (isNewFile || isDeepStrictEqual(rest(before), rest(after)))
  ) {
    return;
  }
  throw new AppError({
    code: 'invalid_argument',
    message: `${path} is written in a way that the entry cannot be changed safely`,
    hint: 'Nothing was changed. Change the entry by hand.',
  });
}

/** The error for a client without a file that can be edited safely. */
export function noWritableFile({ id, label, command }: Client): AppError {
  return new AppError({
    code: 'unsupported',
    message: `Trestle does not write the configuration of ${label}`,
    hint: command
      ? `Run the command that \`trestle connect ${id}\` prints.`
      : `\`trestle connect ${id}\` prints the entry to add there.`,
  });
}

function different({ client, path, flags = '' }: WriteOptions, existing: unknown): AppError {
  return new AppError({
    code: 'conflict',
    message:
      existing === undefined
        ? `${path} already exists with other content`
        : `${path} has another entry named "${serverName}"`,
    hint: `\`trestle connect ${client.id} --write --replace${flags}\` replaces it.`,
  });
}

const byteOrderMark = '\u{feff}';

function decode(bytes: Buffer | null, path: string): { mark: string; text: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? Buffer.alloc(0));
  } catch (cause) {
    throw new AppError({ code: 'invalid_argument', message: `${path} is not UTF-8 text` }, { cause });
  }
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  return { mark, text: text.slice(mark.length) };
}

function encode(mark: string, text: string): Buffer {
  return Buffer.from(mark + text);
}
