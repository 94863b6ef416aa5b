import { createHash, timingSafeEqual } from 'node:crypto';
import { ServerError } from '../errors.ts';

/** Refuses in the three ways in which the server does. */
export function checkKey(header: string | undefined, apiKey: string | undefined): void {
  if (apiKey === undefined) {
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
  if (!timingSafeEqual(digest(given), digest(apiKey))) throw refusal('unauthorized: invalid api key');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refusal(message: string): ServerError {
  return new ServerError(401, message, { shape: 'coded' });
}
