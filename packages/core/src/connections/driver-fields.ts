import { readFile, stat } from 'node:fs/promises';
import {
  type ConnectionFields,
  defaultFields,
  isFieldVisible,
  isSecretField,
  type Manifest,
  type ManifestField,
} from '@trestle/driver-kit';
import { AppError } from '../errors.ts';

export interface DriverFields {
  fields: ConnectionFields;
  /** Every secret among them, for redaction. */
  secretValues: string[];
}

/**
 * What the driver's process gets: defaults, stored fields, secrets, and files as text where the manifest says
 * so. A secret or a file whose field the form hides is left out: the driver has no use for it.
 */
export async function driverFields(
  manifest: Manifest,
  stored: ConnectionFields,
  secretOf: (field: ManifestField) => Promise<string | null>,
): Promise<DriverFields> {
  const plain = { ...defaultFields(manifest), ...stored };
  const fields: ConnectionFields = { ...plain };
  const secretValues: string[] = [];
  for (const field of manifest.fields) {
    const visible = isFieldVisible(field, plain);
    if (isSecretField(field)) {
      const text = visible ? await secretOf(field) : null;
      if (text === null) continue;
      if (field.type === 'secretHeaders') {
        const headers = JSON.parse(text) as { name: string; value: string }[];
        fields[field.id] = headers;
        secretValues.push(...headers.map((header) => header.value));
      } else {
        fields[field.id] = text;
        secretValues.push(text);
      }
    } else if (field.type === 'file' && field.deliver === 'text') {
      const path = plain[field.id];
      if (visible && typeof path === 'string' && path !== '') fields[field.id] = await readText(field, path);
      else delete fields[field.id];
    }
  }
  return { fields, secretValues };
}

const largestFile = 1024 * 1024;

async function readText(field: ManifestField, path: string): Promise<string> {
  let problem: string;
  try {
    const { size } = await stat(path);
    if (size <= largestFile) return await readFile(path, 'utf8');
    problem = 'it is larger than 1 MB';
  } catch (error) {
    problem = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? String(error);
  }
  throw new AppError({
    code: 'invalid_argument',
    message: `${field.label}: ${path} cannot be read: ${problem}`,
    hint: 'Choose the file again in the connection editor.',
  });
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};
