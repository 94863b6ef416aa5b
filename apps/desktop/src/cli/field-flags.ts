import { resolve } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import {
  type ConnectionFields,
  isSecretField,
  type Manifest,
  type ManifestField,
  readPastedUrl,
} from '@trestle/driver-kit';

/** A driver's fields as flags. The field `sslMode` becomes the flags `--ssl-mode` and `--sslMode`. */
export function fieldOptions(manifest: Manifest): ParseArgsOptionsConfig {
  const options: ParseArgsOptionsConfig = {};
  for (const field of manifest.fields) {
    for (const flag of flagsOf(field)) options[flag] = { type: 'string' };
  }
  return options;
}

export function readFieldFlags(
  manifest: Manifest,
  values: Record<string, string | boolean | undefined>,
): ConnectionFields {
  const fields: ConnectionFields = {};
  for (const field of manifest.fields) {
    const flag = flagsOf(field).find((name) => values[name] !== undefined);
    if (flag === undefined) continue;
    if (isSecretField(field)) {
      throw new Error(
        `--${flag} is a secret, and other programs can read arguments. Leave the flag out: at a terminal, Trestle asks for the secret; otherwise pipe it to the command. To change a stored secret, add --secrets.`,
      );
    }
    fields[field.id] = fieldValue(field, flag, String(values[flag]));
  }
  return manifest.fields.reduce(splitAddress, fields);
}

/** Splits `--host https://db.example` into fields, like an address pasted into the connection form. */
function splitAddress(fields: ConnectionFields, field: ManifestField): ConnectionFields {
  const filled = readPastedUrl(field, String(fields[field.id] ?? ''));
  if (!filled) return fields;
  for (const [id, value] of Object.entries(filled)) {
    if (id === field.id || fields[id] === undefined || fields[id] === value) continue;
    throw new Error(
      `--${kebab(field.id)} and --${kebab(id)} contradict each other: the address says ${value}, not ${fields[id]}. Give --${kebab(field.id)} the host alone.`,
    );
  }
  return { ...fields, ...filled };
}

/** Resolves relative paths here, because the app may have another working directory than the command. */
export function absolutePaths(
  manifest: Manifest,
  fields: ConnectionFields,
  folder: string,
): ConnectionFields {
  const paths = manifest.fields.filter(
    ({ id, type }) => (type === 'file' || type === 'folder') && fields[id],
  );
  return {
    ...fields,
    ...Object.fromEntries(paths.map(({ id }) => [id, resolve(folder, String(fields[id]))])),
  };
}

/** The driver's part of the help of `connections add` and `connections edit`. */
export function describeFields(manifest: Manifest): string {
  const rows = manifest.fields.map((field) => [
    isSecretField(field) ? `(${field.id})` : `--${flagsOf(field)[0]}`,
    describeField(field),
  ]);
  const width = Math.max(...rows.map(([flag]) => flag!.length));
  return rows.map(([flag, text]) => `  ${flag!.padEnd(width)}  ${text}`).join('\n');
}

function describeField(field: ManifestField): string {
  const notes: string[] = [];
  if (field.type === 'choice') notes.push(field.choices.map((choice) => choice.value).join(' | '));
  if (field.type === 'boolean') notes.push('true | false');
  if ('default' in field && field.default !== undefined) notes.push(`default ${field.default}`);
  if (field.required) notes.push('required');
  if (isSecretField(field)) notes.push('secret: from standard input or a prompt');
  return notes.length > 0 ? `${field.label} (${notes.join('; ')})` : field.label;
}

function fieldValue(field: ManifestField, flag: string, text: string): string | number | boolean {
  if (field.type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new Error(`--${flag} is true or false, not "${text}".`);
    return text === 'true';
  }
  if (field.type === 'integer') {
    if (!/^-?\d+$/.test(text)) throw new Error(`--${flag} is a whole number, not "${text}".`);
    return Number(text);
  }
  return text;
}

function flagsOf(field: ManifestField): string[] {
  return [...new Set([kebab(field.id), field.id])];
}

function kebab(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
