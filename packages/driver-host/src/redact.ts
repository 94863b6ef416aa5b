import { type ConnectionFields, isSecretField, type Manifest } from '@trestle/driver-kit';

export type Redact = (text: string) => string;

/** Returns a function that removes a connection's secrets from the texts that its driver prints or throws. */
export function redactSecrets(manifest: Manifest, fields: ConnectionFields): Redact {
  return redactor(manifest.fields.filter(isSecretField).flatMap(({ id }) => secretsIn(fields[id])));
}

/** Returns a function that replaces the secrets, also in JSON, URL-encoded, or in the Base64 of a longer text. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = secrets
    // A log is read line by line, so each line of a secret is removed too.
    .flatMap((secret) => [secret, ...secret.split(/[\r\n]+/)])
    // A shorter secret may match ordinary words and numbers.
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [...plainForms(secret), ...base64Forms(secret)]);
  // If one secret contains another, the longer must be replaced first. Otherwise its rest would stay.
  const longestFirst = forms.sort((a, b) => b.length - a.length).map(({ remove }) => remove);
  return (text) => longestFirst.reduce((rest, remove) => remove(rest), text);
}

/**
 * `remove` makes no regular expression from the secret: V8 rejects some patterns of more than 32,000 characters. Its
 * error message contains the pattern, and so the secret.
 */
interface Form {
  remove: Redact;
  length: number;
}

const removed = '•••';

/** The secret as it is, and its escaped forms. */
function plainForms(secret: string): Form[] {
  const urls = urlForms(secret.toWellFormed());
  const small = urls.map((url) => url.replace(/%../g, (one) => one.toLowerCase()));
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), ...urls, ...small]);
  return [...forms].map((form) => ({
    remove: (text) => text.replaceAll(form, removed),
    length: form.length,
  }));
}

/** Node's functions that encode for a URL do not all encode the same characters. */
function urlForms(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const { password } = Object.assign(new URL('http://localhost'), { password: secret });
  return [url, url.replaceAll('%20', '+'), form, password];
}

/**
 * The secret inside a Base64 text, such as the `user:password` of a Basic header. Three bytes make four
 * characters, so the secret has three forms: with 0, 1 or 2 bytes of the other text in front. A character at either end
 * may contain bits of the secret and of the text beside it. This character is removed too.
 */
function base64Forms(secret: string): Form[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const bits = (before + bytes.length) * 8;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    const shared = { start: before > 0, end: bits % 6 > 0 };
    const forms = new Set([own, own.replaceAll('+', '-').replaceAll('/', '_')]);
    return [...forms].map((form) => ({
      remove: (text) => removeBase64(text, form, shared),
      length: form.length,
    }));
  });
}

/** `shared`: whether the character before the form, or the one after it, also contains bits of the secret. */
function removeBase64(text: string, form: string, shared: { start: boolean; end: boolean }): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, from)) {
    const isShared = shared.start && at > from && base64Character.test(text.charAt(at - 1));
    kept.push(text.slice(from, isShared ? at - 1 : at));
    from = at + form.length;
    if (!shared.end) continue;
    if (base64Character.test(text.charAt(from))) from++;
    while (text[from] === '=') from++;
  }
  return kept.length === 0 ? text : [...kept, text.slice(from)].join(removed);
}

const base64Character = /[A-Za-z0-9+/_-]/;

/**
 * Secrets are removed before a text is cut to `length`. Otherwise a cut through a secret would leave its first part. A
 * driver may send a text that takes seconds to search, so a text longer than `longestRedacted` is cut before the search
 * too. That cut may also leave the first part of a secret, so the end of the text is then left out.
 */
export function redacted(text: string, length: number, redact: Redact): string {
  if (text.length <= longestRedacted) return redact(text).slice(0, length);
  const found = redact(text.slice(0, longestRedacted));
  return found.slice(0, Math.min(length, Math.max(0, found.length - longestRedacted / 2)));
}

export const longestRedacted = 200_000;

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
