import { isAbsolute } from 'node:path';
import { AppError, type Connection } from '@trestle/core';
import type { Manifest } from '@trestle/driver-kit';
import { z } from 'zod';
import { colorForms, isConnectionColor } from './connection-color.ts';
import { connectionDraft } from './schemas.ts';

/** Connections in a file. Settings with a default may be missing. */
const fileShape = z.strictObject({
  connections: z.array(
    connectionDraft.extend({
      fields: connectionDraft.shape.fields.default({}),
      externalClients: connectionDraft.shape.externalClients.default('readOnly'),
      aiPolicy: connectionDraft.shape.aiPolicy.default('askEachTime'),
      safeMode: connectionDraft.shape.safeMode.default('off'),
      color: z.string().refine(isConnectionColor, `must be one of ${colorForms}`).nullable().default(null),
    }),
  ),
});

export type ConnectionFile = z.infer<typeof fileShape>;

/** Throws if the text is invalid. The message contains `name`, the file's name. */
export function readConnectionFile(text: string, name: string): ConnectionFile {
  let json: unknown;
  try {
    // Some editors on Windows write a byte order mark.
    json = JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    throw invalid(`${name} is not JSON: ${(error as Error).message}`);
  }
  const result = fileShape.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw invalid(`${name}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

/** The settings of each connection, without secrets, ids and times. Samples are left out. */
export function connectionFileOf(connections: Connection[]) {
  return {
    // Lists the parts to leave out, so that a new setting in a later version is exported too.
    connections: connections
      .filter((connection) => !connection.sample)
      .map(
        ({
          id: _id,
          storedSecrets: _secrets,
          sample: _sample,
          createdAt: _created,
          updatedAt: _updated,
          ...kept
        }) => kept,
      ),
  };
}

/** Refuses relative paths: they cannot be resolved, because the window does not know the file's folder. */
export function assertWholePaths({ connections }: ConnectionFile, manifests: Manifest[]): void {
  for (const { name, driver, fields } of connections) {
    const manifest = manifests.find(({ id }) => id === driver);
    const relative = manifest?.fields.find(
      ({ id, type }) =>
        (type === 'file' || type === 'folder') && fields[id] && !isAbsolute(String(fields[id])),
    );
    if (!relative) continue;
    throw new AppError({
      code: 'invalid_argument',
      message: `"${name}": ${relative.label} is not an absolute path`,
      hint: 'Write the absolute path into the file, or import the file with `trestle connections import`.',
    });
  }
}

function invalid(message: string): AppError {
  return new AppError({ code: 'invalid_argument', message });
}
