import { resolve } from 'node:path';
import { AppError } from '@trestle/core';
import { bridgeCommand, commandLine, quoted } from '../client-setup/bridge-command.ts';
import { type ClientGuide, guideFor, httpGuide } from '../client-setup/catalog.ts';
import { type Client, clients, httpClient, writableFile } from '../client-setup/clients.ts';
import { homeOf, thesePlaces } from '../client-setup/places.ts';
import { noWritableFile } from '../client-setup/write-config.ts';
import type { AppStatus } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { askCore } from './ask-core.ts';
import { changeConfig } from './connect-write.ts';
import { printJson, printTable } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse, UsageError } from './parse.ts';
import type { CommandContext } from './run-command.ts';
import { expiryOf } from './token-expiry.ts';

const ids = [...clients.map(({ id }) => id), httpClient.id];

const help = `Usage: trestle connect [CLIENT] [options]

Shows how to connect an AI client to Trestle. Without CLIENT, lists the clients:
${ids.join(', ')}.

  --write             add Trestle to the client's configuration file; its other entries stay
  --replace           with --write: replace an existing, different entry "trestle". For Continue, also
                      replace a file without this entry.
  --undo              undo --write; if the file has changed since, only the entry is undone
  --config FILE       the configuration file, if it is not in its usual place
  --workspace FOLDER  the file of the project in FOLDER, for clients with a file per project. Continue has only
                      project files: without this option, the project is the current folder.
  --token             with http: create a token, and print the token once
  --name NAME         with --token: the token's name (default: HTTP client); --replace revokes the older
                      token of this name
  --permission        with --token: readOnly (default) | readWrite | fullAccess
  --expires           with --token: a time, or a span such as 12h or 30d (default: 90d)
  --json              print the result as JSON`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(
    args,
    help,
    {
      write: { type: 'boolean' },
      replace: { type: 'boolean' },
      undo: { type: 'boolean' },
      config: { type: 'string' },
      workspace: { type: 'string' },
      token: { type: 'boolean' },
      name: { type: 'string', default: 'HTTP client' },
      permission: { type: 'string', default: 'readOnly' },
      expires: { type: 'string', default: '90d' },
      json: { type: 'boolean' },
    },
    { min: 0, max: 1 },
  );
  if (!parsed) return 0;
  const { values, positionals } = parsed;
  const [id] = positionals;
  const bridge = bridgeCommand(dist);
  const places = thesePlaces(resolve(values.workspace ?? '.'));
  if (id === undefined) {
    if (values.write || values.undo || values.replace || values.token) {
      throw new UsageError(`Name the client: ${ids.join(', ')}.`, help);
    }
    const all = clients.map((client) => guideFor(client, bridge, places));
    if (values.json) printJson({ bridge: commandLine(bridge), clients: all });
    else printClients(all);
    return 0;
  }
  if (id === httpClient.id) {
    if (values.write || values.undo || values.config !== undefined || values.workspace !== undefined)
      throw noFile();
    printGuide(await guideOverHttp(dist, values), values.json);
    if (!values.token && !values.json) console.log(asTyped(howToMakeToken));
    return 0;
  }
  const client = find(id);
  if (values.token) throw new Error('--token goes with the client http.');
  const writable = writableFile(client.config, places);
  if (writable === null) {
    if (values.write || values.undo || values.config !== undefined) throw noWritableFile(client);
    if (values.workspace !== undefined) throw noProjectFile(client);
    printGuide(guideFor(client, bridge, places), values.json);
    return 0;
  }
  const { workspaceFile } = client.config;
  const hasProjectFile = workspaceFile !== undefined || client.id === 'continue';
  if (values.workspace !== undefined && !hasProjectFile) throw noProjectFile(client);
  const usual = values.workspace === undefined ? writable : (workspaceFile?.(places) ?? writable);
  const path = resolve(values.config ?? usual);
  expectOneOf(values);
  if (values.write || values.undo) {
    // Continue has only project files, so it needs no `--workspace`.
    const isOfProject =
      values.config === undefined && (values.workspace !== undefined || client.id === 'continue');
    const change = {
      client,
      path,
      bridge,
      dataDirectory: dataDirectory(),
      home: homeOf(places),
      flags: flagsOf(values.config, isOfProject ? places.workspace : undefined),
      ...(isOfProject && { workspace: places.workspace }),
    };
    return changeConfig(change, { ...values, undo: values.undo ?? false });
  }
  printGuide(guideFor(client, bridge, places, path), values.json);
  return 0;
}

/** The flags with which a later command selects the same configuration file. */
function flagsOf(config: string | undefined, workspace: string | undefined): string {
  if (config !== undefined) return ` --config ${quoted(resolve(config))}`;
  return workspace === undefined ? '' : ` --workspace ${quoted(workspace)}`;
}

function expectOneOf({ write, undo, replace }: { write?: boolean; undo?: boolean; replace?: boolean }): void {
  if (write && undo) throw new Error('--write and --undo are opposites: give one of them.');
  if (replace && !write) throw new Error('--replace goes with --write.');
}

function find(id: string): Client {
  const client = clients.find((one) => one.id === id);
  if (client) return client;
  throw new AppError({
    code: 'not_found',
    message: `There is no client "${id}"`,
    hint: `There are: ${ids.join(', ')}.`,
  });
}

const howToMakeToken =
  '\n`trestle connect http --token` makes a token; `trestle tokens list` lists the existing ones.';

interface TokenFlags {
  token?: boolean;
  replace?: boolean;
  name: string;
  permission: string;
  expires: string;
}

async function guideOverHttp(dist: string, flags: TokenFlags): Promise<ClientGuide> {
  const status = (await callRunningApp(dataDirectory(), 'status')) as AppStatus | typeof notRunning;
  if (status === notRunning || status.mcpPort === null) {
    throw new AppError({
      code: 'not_connected',
      message: 'The MCP server is not running, so its port is not known',
      hint: 'Start Trestle with `trestle start --no-window`, and turn on Enable MCP Server.',
    });
  }
  // Creates a token only on request, because a token could be found and misused.
  const ports = { port: status.mcpPort, preferred: status.preferredMcpPort };
  return httpGuide(ports, flags.token ? await makeToken(dist, flags) : '<token>');
}

async function makeToken(dist: string, { name, permission, expires, replace }: TokenFlags): Promise<string> {
  const chosen = (['readOnly', 'readWrite', 'fullAccess'] as const).find((one) => one === permission);
  if (!chosen) throw new Error('--permission is one of readOnly, readWrite, fullAccess.');
  const draft = { name, permission: chosen, allowlist: null, expiresAt: expiryOf(expires) };
  const same = (await askCore(dist, 'tokens.list')).filter((one) => one.name === name && !one.revokedAt);
  if (same.length > 0 && !replace) {
    throw new AppError({
      code: 'conflict',
      message: `There is a token named "${name}" already, and its text is not shown again`,
      hint: '--replace revokes it and makes a new one; --name gives the new one another name.',
    });
  }
  const { secret } = await askCore(dist, 'tokens.create', draft);
  for (const { id } of same) await askCore(dist, 'tokens.revoke', id);
  return secret;
}

function printClients(guides: ClientGuide[]): void {
  printTable(
    ['client', 'name', 'configuration'],
    [...guides, { ...httpClient, configFile: null }].map(({ id, label, configFile }) => [
      id,
      label,
      configFile ?? '–',
    ]),
  );
}

function printGuide(guide: ClientGuide, asJson: boolean | undefined): void {
  if (asJson) {
    printJson(guide);
    return;
  }
  console.log(guide.label);
  for (const [index, { text, snippet }] of guide.steps.entries()) {
    console.log(`\n${index + 1}. ${text}`);
    // The snippet is not indented, so that it can be copied.
    if (snippet) console.log(`\n${snippet.text.trimEnd()}`);
  }
}

function noProjectFile({ label }: Client): AppError {
  return new AppError({
    code: 'unsupported',
    message: `${label} has no configuration file in a project`,
    hint: 'Leave --workspace out.',
  });
}

function noFile(): AppError {
  return new AppError({
    code: 'unsupported',
    message: 'There is no configuration file to write for a client over HTTP',
    hint: '`trestle connect http` prints the entry to add.',
  });
}
