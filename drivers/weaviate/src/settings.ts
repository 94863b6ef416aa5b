import type { ConnectionOptions } from 'node:tls';
import { type ConnectionFields, DriverError, isHost } from '@trestle/driver-kit';

/** Where the server is, how we authenticate, and which certificates we accept. */
export interface ServerSettings {
  origin: string;
  /** `host:port`, for messages. */
  address: string;
  /** Sent with every request. */
  headers: Record<string, string>;
  /** The keys of model providers, by header. The server passes each on to a provider. */
  providerKeys: Record<string, string>;
  /** Null over plain HTTP. */
  tls: ConnectionOptions | null;
}

export function readSettings(fields: ConnectionFields): ServerSettings {
  const host = String(fields.host ?? '').trim();
  const bare = host.replace(/^\[|\]$/g, '');
  const named = bare.includes(':') ? `[${bare}]` : bare;
  // `isHost` is not enough: a URL has its own rules for IP addresses and for letters other than ASCII.
  if (!isHost(host) || !URL.canParse(`http://${named}`))
    throw invalid(`Host must be a host name or an address, not "${host}"`);
  const port = Number(fields.port ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw invalid('Port must be from 1 to 65535');
  const address = `${named}:${port}`;
  const mode = String(fields.sslMode ?? 'disabled');
  return {
    origin: `${mode === 'disabled' ? 'http' : 'https'}://${address}`,
    address,
    headers: authorization(fields),
    providerKeys: providerHeaders(fields),
    tls: tlsOptions(mode, fields),
  };
}

function authorization(fields: ConnectionFields): Record<string, string> {
  if (fields.authMethod !== 'apiKey') return {};
  const key = String(fields.apiKey ?? '').trim();
  if (key === '') {
    throw new DriverError({
      code: 'authentication_failed',
      message: 'Authentication failed: no API key is stored for this connection',
      hint: 'Enter the API key in the connection, or set Auth Method to None.',
    });
  }
  if (isUnsendable(key)) throw invalid('The API key has characters that a header cannot carry');
  return { authorization: `Bearer ${key}` };
}

function providerHeaders(fields: ConnectionFields): Record<string, string> {
  const list = Array.isArray(fields.providerKeys) ? fields.providerKeys : [];
  const headers: Record<string, string> = {};
  for (const { name, value } of list) {
    // Another name could be Authorization or Host, or contain a line break.
    if (!/^x-[a-z0-9-]+$/i.test(name))
      throw invalid(`"${name}" is not a provider header such as X-OpenAI-Api-Key`);
    if (isUnsendable(value)) throw invalid(`The key of ${name} has characters that a header cannot carry`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function isUnsendable(value: string): boolean {
  return /[^\x20-\x7e]/.test(value);
}

function tlsOptions(mode: string, fields: ConnectionFields): ConnectionOptions | null {
  if (mode === 'disabled') return null;
  const ca = typeof fields.caFile === 'string' && fields.caFile.trim() !== '' ? fields.caFile : undefined;
  if (fields.skipTlsVerification === true) return { rejectUnauthorized: false };
  switch (mode) {
    case 'preferred':
    case 'requiredSkipVerify':
      return { rejectUnauthorized: false };
    case 'required':
      return { rejectUnauthorized: true };
    case 'verifyCa':
      if (!ca) throw invalid('Verify CA needs a CA file');
      return { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined };
    case 'verifyIdentity':
      return { rejectUnauthorized: true, ...(ca && { ca }) };
    default:
      throw invalid(`Unknown SSL Mode "${mode}"`);
  }
}

function invalid(message: string): DriverError {
  return new DriverError({ code: 'invalid_argument', message });
}
