import {
  type ConnectionFields,
  type DriverErrorDetails,
  isSecretField,
  type Manifest,
} from '@trestle/driver-kit';

export type Redact = (text: string) => string;

/** Removes a connection's secrets from everything that its driver prints or throws. */
export function redactSecrets(manifest: Manifest, fields: ConnectionFields): Redact {
  const forms = manifest.fields
    .filter(isSecretField)
    .flatMap(({ id }) => secretsIn(fields[id]))
    // Shorter ones would take ordinary words and numbers out of every sentence.
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
}

export function redactError(error: DriverErrorDetails, redact: Redact): DriverErrorDetails {
  const { message, hint } = error;
  return { ...error, message: redact(message), ...(hint !== undefined && { hint: redact(hint) }) };
}

function secretsIn(value: ConnectionFields[string] | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map((header) => header.value) : [];
}
