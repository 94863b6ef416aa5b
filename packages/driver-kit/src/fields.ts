import type { ConnectionFields } from './driver.ts';
import type { Manifest, ManifestField } from './manifest.ts';

/** Whether the form shows a field, given the values of the others. */
export function isFieldVisible(field: ManifestField, values: Record<string, unknown>): boolean {
  const when = field.visibleWhen;
  return !when || when.oneOf.some((value) => value === values[when.field]);
}

/** Fields whose values live in the keychain and nowhere else. */
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
