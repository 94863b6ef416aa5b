import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '@trestle/core';
import { z } from 'zod';
import { bridgeCommand } from '../client-setup/bridge-command.ts';
import { clients, writableFile } from '../client-setup/clients.ts';
import { lineChanges } from '../client-setup/line-changes.ts';
import { homeOf, thesePlaces } from '../client-setup/places.ts';
import {
  noWritableFile,
  planConfig,
  undoConfig,
  type WriteOptions,
  writeConfig,
} from '../client-setup/write-config.ts';
import { procedure, router } from './trpc.ts';

const target = z.strictObject({
  client: z.string(),
  /** The project folder, for a client with a file per project. */
  workspace: z.string().nullable(),
});

/** For the button "Write it for me". Does the same as `trestle connect --write` and `--undo`. */
export const clientConfigProcedures = router({
  plan: procedure.input(target).query(({ ctx, input }) => {
    const options = optionsFor(input, ctx.app.dataDirectory);
    const { state, bytes, text, after, existing, isUndoable } = planConfig(options);
    return {
      path: options.path,
      state,
      isNew: bytes === null,
      hasEntry: existing !== undefined,
      isUndoable,
      lines: lineChanges(text, after),
      afterwards: options.client.afterwards,
    };
  }),
  write: procedure
    .input(target.extend({ replace: z.boolean() }))
    .mutation(({ ctx, input: { replace, ...at } }) =>
      writeConfig({ ...optionsFor(at, ctx.app.dataDirectory), replace }),
    ),
  undo: procedure
    .input(target)
    .mutation(({ ctx, input }) => undoConfig(optionsFor(input, ctx.app.dataDirectory))),
});

function optionsFor({ client: id, workspace }: z.infer<typeof target>, dataDirectory: string): WriteOptions {
  const client = clients.find((one) => one.id === id);
  if (!client) throw new AppError({ code: 'not_found', message: `There is no client "${id}"` });
  const path = writableFile(client.config, thesePlaces(workspace ?? ''));
  if (path === null) throw noWritableFile(client);
  // Writing would create missing folders. A project folder that does not exist is probably a typing error.
  if (workspace && isAbsolute(workspace) && !statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError({ code: 'not_found', message: `There is no folder ${workspace}` });
  }
  if (!isAbsolute(path)) {
    throw new AppError({
      code: 'invalid_argument',
      message: 'The path of the project’s folder is not absolute',
      hint: 'An absolute path begins with / or, on Windows, with a drive.',
    });
  }
  return {
    client,
    path: resolve(path),
    bridge: bridgeCommand(),
    dataDirectory,
    home: homeOf(process),
    ...(workspace && { workspace: resolve(workspace) }),
  };
}
