import type { ConnectionFields } from './driver.ts';
import type { Manifest, ManifestField, Suggestion } from './manifest.ts';
import { ownValue } from './own-value.ts';

/** Whether the form shows a field, given the other values. */
export function isFieldVisible(field: ManifestField, values: Record<string, unknown>): boolean {
  const when = field.visibleWhen;
  return !when || when.oneOf.some((value) => value === values[when.field]);
}

/** Fields whose values are stored only with the secrets: in the keychain if there is one. */
export function isSecretField(field: ManifestField): boolean {
  return field.type === 'secret' || field.type === 'secretHeaders';
}

export function defaultFields(manifest: Manifest): ConnectionFields {
  const fields: ConnectionFields = {};
  for (const field of manifest.fields) {
    if ('default' in field && field.default !== undefined) fields[field.id] = field.default;
  }
  return fields;
}

/** The line under a connection's name, from the manifest's template. */
export function connectionAddress(manifest: Manifest, fields: ConnectionFields): string {
  return manifest.address.replace(/\{(\w+)\}/g, (_, id: string) => String(fields[id] ?? ''));
}

/**
 * The field values from a pasted URL with a scheme of `pastedUrl`, or from a pasted host with a port or a path.
 * Null for any other text, and for a field without `pastedUrl`.
 */
export function readPastedUrl(field: ManifestField, text: string): ConnectionFields | null {
  if (field.type !== 'text' || !field.pastedUrl) return null;
  const { port, schemes } = field.pastedUrl;
  const trimmed = text.trim();
  const bare = /^([\w.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(\/.*)?$/i.exec(trimmed);
  if (bare) {
    // A plain host fills no other field.
    if (bare[2] === undefined && bare[3] === undefined) return null;
    return { [field.id]: bare[1] ?? '', ...(bare[2] !== undefined && { [port]: Number(bare[2]) }) };
  }
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  const scheme = url?.protocol.slice(0, -1) ?? '';
  const implied = ownValue(schemes, scheme);
  if (!url || !implied || url.hostname === '') return null;
  const number = url.port === '' ? webPorts.get(scheme) : Number(url.port);
  // A user and a password in the URL are dropped: secrets belong only in secret fields.
  return { [field.id]: url.hostname, ...(number !== undefined && { [port]: number }), ...implied };
}

/** The default port of a scheme. For any other scheme it is unknown, and the port field keeps its value. */
const webPorts = new Map([
  ['http', 80],
  ['https', 443],
]);

/** The first suggestion that matches the form and would change a value. */
export function findSuggestion(manifest: Manifest, values: Record<string, unknown>): Suggestion | undefined {
  return manifest.suggestions?.find(({ when, set }) => {
    const text = String(values[when.field] ?? '')
      .trim()
      .toLowerCase();
    if (!when.endsWith.some((ending) => text.endsWith(ending.toLowerCase()))) return false;
    return Object.entries(set).some(([id, value]) => String(values[id] ?? '') !== String(value));
  });
}
