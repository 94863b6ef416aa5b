import { type ConnectionFields, isSecretField, type Manifest } from '@trestle/driver-kit';

type Redact = (text: string) => string;

/** Removes a connection's secrets from everything that its driver prints or throws. */
export function redactSecrets(manifest: Manifest, fields: ConnectionFields): Redact {
  return redactor(manifest.fields.filter(isSecretField).flatMap(({ id }) => secretsIn(fields[id])));
}

/** Replaces the given secrets, also if a whole secret is URL-encoded or in Base64. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = secrets
    // A shorter secret would match ordinary words and numbers.
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]);
  // If one secret contains another, the longer must be replaced first. Otherwise its rest would stay.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
}

export function redactDetails<Details extends { message: string; hint?: string }>(
  details: Details,
  redact: Redact,
): Details {
  const { message, hint } = details;
  return { ...details, message: redact(message), ...(hint !== undefined && { hint: redact(hint) }) };
}

function secretsIn(value: ConnectionFields[string] | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map((header) => header.value) : [];
}
