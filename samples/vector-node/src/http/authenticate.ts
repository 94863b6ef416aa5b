import { createHash, timingSafeEqual } from 'node:crypto';
import { ServerError } from '../errors.ts';

/** Refuses a missing, a wrong or an unneeded key, with Weaviate's messages. */
export function checkKey(header: string | undefined, keyDigest: string | undefined): void {
  if (keyDigest === undefined) {
    if (header === undefined) return;
    throw refusal(
      "no authentication scheme is configured (API Key or OIDC), but an 'Authorization' header was provided. Please configure an auth scheme or remove the header for anonymous access",
    );
  }
  if (header === undefined) {
    throw refusal(
      'anonymous access not enabled. Please authenticate through one of the available methods: [API-keys]',
    );
  }
  const given = /^Bearer (.+)$/i.exec(header)?.[1] ?? '';
  const isRight = timingSafeEqual(Buffer.from(digestOf(given), 'hex'), Buffer.from(keyDigest, 'hex'));
  if (!isRight) throw refusal('unauthorized: invalid api key');
}

/** SHA-256 in hex. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function refusal(message: string): ServerError {
  return new ServerError(401, message, { shape: 'coded' });
}
