import { readFile, realpath, stat } from 'node:fs/promises';
import {
  type ConnectionFields,
  defaultFields,
  isFieldVisible,
  isSecretField,
  type Manifest,
  type ManifestField,
} from '@trestle/driver-kit';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { refusalOfFile, refusalOfFolder } from './private-files.ts';

interface DriverFields {
  fields: ConnectionFields;
  /** All secrets among the fields, for redaction. */
  secretValues: string[];
}

/**
 * Builds the fields for the driver's process: defaults, stored fields, secrets, and file contents if the manifest
 * asks for them. Secrets, files and folders of hidden fields are left out, since the driver does not need them.
 */
export async function driverFields(
  manifest: Manifest,
  stored: ConnectionFields,
  { home, secretOf }: { home: string; secretOf: (field: ManifestField) => Promise<string | null> },
): Promise<DriverFields> {
  refuseUnsafePaths(manifest, stored, home);
  const plain = { ...defaultFields(manifest), ...stored };
  const fields: ConnectionFields = { ...plain };
  const secretValues: string[] = [];
  for (const field of manifest.fields) {
    const visible = isFieldVisible(field, plain);
    if (isSecretField(field)) {
      const text = visible ? await secretOf(field) : null;
      if (text === null) continue;
      if (field.type === 'secretHeaders') {
        const headers = storedHeaders(field, text);
        fields[field.id] = headers;
        secretValues.push(...headers.map((header) => header.value));
      } else {
        fields[field.id] = text;
        secretValues.push(text);
      }
    } else if (field.type === 'file') {
      // Only from the stored fields: the driver gets a path that the user chose, never one from its manifest.
      const path = stored[field.id];
      if (!visible || typeof path !== 'string' || path === '') delete fields[field.id];
      else fields[field.id] = field.deliver === 'text' ? await readText(field, path) : path;
    } else if (field.type === 'folder') {
      const path = stored[field.id];
      if (!visible || typeof path !== 'string' || path === '') delete fields[field.id];
      else fields[field.id] = await readableFolder(field, path);
    }
  }
  return { fields, secretValues };
}

/**
 * The text is not always a list of headers: an update of the driver may have changed the field's type. An error of
 * `JSON.parse` would quote the secret.
 */
function storedHeaders({ label }: ManifestField, text: string): { name: string; value: string }[] {
  try {
    return headersSchema.parse(JSON.parse(text));
  } catch {
    throw new AppError({
      code: 'invalid_argument',
      message: `${label}: the stored secret is not a list of headers`,
      hint: 'Edit the connection and enter the headers again.',
    });
  }
}

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));

/**
 * Refuses paths that a driver may not use (see `private-files.ts`). Called when a connection is saved, imported, tested
 * or opened.
 */
export function refuseUnsafePaths(manifest: Manifest, stored: ConnectionFields, home: string): void {
  const plain = { ...defaultFields(manifest), ...stored };
  for (const field of manifest.fields) {
    const path = stored[field.id];
    if (typeof path !== 'string' || path === '' || !isFieldVisible(field, plain)) continue;
    const check =
      field.type === 'file' ? refusalOfFile : field.type === 'folder' ? refusalOfFolder : undefined;
    const refused = check?.(home, path);
    if (refused !== undefined) throw unreadable(field, path, refused);
  }
}

/** Checks files that the app reads for the driver. If one is missing, every connect would fail. */
export async function assertReadableFiles(manifest: Manifest, fields: ConnectionFields): Promise<void> {
  for (const field of manifest.fields) {
    const path = fields[field.id];
    if (field.type !== 'file' || field.deliver !== 'text' || !isFieldVisible(field, fields)) continue;
    if (typeof path === 'string' && path !== '') await readText(field, path);
  }
}

/** Returns the path with links resolved: the driver's process gets rights for this path, not for a link to it. */
async function readableFolder(field: ManifestField, path: string): Promise<string> {
  let problem = 'it is not a folder';
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    problem = code === 'ENOENT' ? 'there is no such folder' : (reasons[code] ?? String(error));
  }
  throw unreadable(field, path, problem);
}

const largestFile = 1024 * 1024;

async function readText(field: ManifestField, path: string): Promise<string> {
  let problem: string;
  try {
    const found = await stat(path);
    // A device or a pipe may never end.
    if (!found.isFile()) problem = found.isDirectory() ? 'it is a folder' : 'it is not a regular file';
    else if (found.size <= largestFile) return await readFile(path, 'utf8');
    else problem = 'it is larger than 1 MB';
  } catch (error) {
    problem = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? String(error);
  }
  throw unreadable(field, path, problem);
}

function unreadable(field: ManifestField, path: string, problem: string): AppError {
  return new AppError({
    code: 'invalid_argument',
    message: `${field.label}: ${path} cannot be read: ${problem}`,
    hint: `Check the path, or choose another ${field.type}.`,
  });
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
};
