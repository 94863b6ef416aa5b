import { DriverError } from '@trestle/driver-kit';
import { vectorLengthFailure } from './vector-length.ts';

/** The error for an answer that reports a failure. `asked`: the path of the request. */
export function failureOfAnswer(answer: { status: number; body: string }, asked: string): DriverError {
  const words = wordsOf(answer.body);
  const said =
    words ||
    (isMarkup(answer.body)
      ? `a web page in place of an answer (HTTP ${answer.status})`
      : `HTTP ${answer.status}`);
  switch (answer.status) {
    case 401:
      return authenticationFailure(said);
    case 403:
      return permissionFailure(said, { isNamed: words !== '' });
    case 404:
      return new DriverError({
        code: 'not_found',
        message: `Not found: ${said === 'HTTP 404' ? asked : said}`,
      });
    case 410:
      return new DriverError({
        code: 'unsupported',
        message: `This cluster no longer offers ${asked}: ${said}`,
      });
    case 429:
      return new DriverError({
        code: 'query_failed',
        message: `Weaviate is overloaded: ${said}`,
        hint: 'Try again.',
      });
    default:
      return answer.status >= 500 ? serverFailure(answer.status, said) : queryFailure(said);
  }
}

/** `isNamed`: the answer has a message. Weaviate sends one, so a 403 without a message probably comes from a proxy. */
function permissionFailure(said: string, { isNamed }: { isNamed: boolean }): DriverError {
  return new DriverError({
    code: 'permission_denied',
    message: isNamed
      ? `Weaviate refuses this: ${said}`
      : `The server, or a proxy in front of it, refuses this: ${said}`,
    hint: isNamed
      ? "Give the key's role the permission named here, or use another key."
      : 'Check the proxy, then the permissions of the key.',
  });
}

/** Statuses of a server that is not ready, or of a proxy whose server does not answer. */
export const gatewayStatuses = new Set([502, 503, 504]);
export const notReadyHint = 'The server, or a proxy in front of it, is not ready. Try again in a moment.';

function serverFailure(status: number, said: string): DriverError {
  const failure = queryFailure(said);
  if (failure.code !== 'query_failed' || failure.hint) return failure;
  const hint = gatewayStatuses.has(status)
    ? notReadyHint
    : "Try again. If it fails again, look at the server's log.";
  // If the server gave no message, `said` names the status.
  const message = said.includes(`HTTP ${status}`) ? `The server failed: ${said}` : said;
  return new DriverError({ code: 'query_failed', message, hint });
}

/** The error for a failed query. The server's message decides its code. */
export function queryFailure(said: string): DriverError {
  if (said.includes('query maximum results exceeded')) {
    return new DriverError({
      code: 'paging_limit',
      message: 'This server does not page this deep (QUERY_MAXIMUM_RESULTS)',
      hint: 'Narrow the filter, or export: an export without a sort has no such limit.',
    });
  }
  if (said.includes('store is read-only')) {
    return new DriverError({
      code: 'disk_full',
      message: `Weaviate takes no writes for this collection: ${said}`,
      hint: 'Weaviate does this if its disk or memory is nearly full. Make room on the server, then set the shards of the collection to READY.',
    });
  }
  const reason = unrunnableReasons.find(([words]) => said.includes(words))?.[1];
  if (reason) return new DriverError({ code: 'filter_unrunnable', message: reason });
  if (said.includes('multi-tenancy enabled, but request was without tenant')) {
    return new DriverError({
      code: 'invalid_argument',
      message: 'This collection keeps its objects by tenant, and no tenant was named',
      hint: tenantHint,
    });
  }
  const tenant = /tenant not found: "([^"]*)"/.exec(said)?.[1];
  if (tenant !== undefined) {
    return new DriverError({
      code: 'invalid_argument',
      message: `There is no tenant "${tenant}"`,
      hint: tenantHint,
    });
  }
  const closed = /tenant not active: '([^']*)'/.exec(said)?.[1];
  if (closed !== undefined) {
    return new DriverError({
      code: 'unsupported',
      message: `The tenant "${closed}" is not active, so its objects cannot be read or changed`,
      hint: 'Activate it in Trestle: choose it from the list of tenants of the collection.',
    });
  }
  if (/no module with name "[^"]*" present/.test(said)) {
    return new DriverError({
      code: 'query_failed',
      message: said,
      hint: 'The server does not have this module. Enable it there (ENABLE_MODULES), or use a server that has it.',
    });
  }
  return vectorLengthFailure(said) ?? new DriverError({ code: 'query_failed', message: said });
}

export const tenantHint = 'Choose a tenant: the description of the collection lists them.';

/** Server messages that mean "this filter cannot run", each with our message. */
const unrunnableReasons: [string, string][] = [
  ['only stopwords provided', 'The value holds only stop words, which Weaviate ignores'],
  ['Nullstate must be indexed', 'The collection does not index NULL (indexNullState)'],
  ['Property length must be indexed', 'The collection does not index lengths (indexPropertyLength)'],
  ['Timestamps must be indexed', 'The collection does not index timestamps (indexTimestamps)'],
  ['requires inverted index', 'The property is not indexed for filtering (indexFilterable)'],
];

/**
 * `worked`: the server has answered before. So the settings were right, and the hint does not speak of them.
 * `hasCaFile`: the certificate was checked against the CA file of the connection.
 */
export function failureOfNetwork(
  error: unknown,
  address: string,
  { worked = false, hasCaFile = false } = {},
): DriverError {
  const code = networkCode(error);
  const said =
    error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : String(error);
  const known =
    networkFailures[code]?.(address, hasCaFile) ?? (isNoHttp(error) ? noHttp(address) : undefined);
  const detail = known?.detail ?? said;
  return new DriverError(
    {
      code: 'connection_failed',
      message: `Connection failed: ${detail}`,
      ...(worked
        ? { hint: 'The server answered before. Check that it still runs.' }
        : known && { hint: known.hint }),
    },
    { cause: error },
  );
}

/** Whether an open socket broke. A new one may work. */
export function wasSocketLost(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (lostSocketCodes.has((current as NodeJS.ErrnoException).code ?? '')) return true;
  }
  return false;
}

const lostSocketCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

const selfSigned = (address: string, hasCaFile: boolean) =>
  hasCaFile
    ? {
        detail: `the certificate of ${address} is not signed by an authority in CA File`,
        hint: 'CA File needs the certificate of the authority, or the server certificate if it is self-signed.',
      }
    : {
        detail: `the certificate of ${address} is not signed by a trusted authority`,
        hint:
          'For a self-signed certificate choose SSL Mode Required (skip verify), or turn on Skip TLS Verification under ' +
          'Advanced. Verify CA checks it against a CA file of yours.',
      };

const stalled = (address: string) => ({
  detail: `${address} stopped in the middle of an answer`,
  hint: 'Check the network, and try again.',
});

/** Errors on an open socket, by code. The app itself reports why a dial fails. */
const networkFailures: Record<
  string,
  (address: string, hasCaFile: boolean) => { detail: string; hint: string }
> = {
  ETIMEDOUT: (address) => ({ detail: `${address} does not answer`, hint: 'Check the network and the port.' }),
  UND_ERR_CONNECT_TIMEOUT: (address) => ({
    detail: `${address} does not answer`,
    hint: 'Check the network and the port.',
  }),
  UND_ERR_HEADERS_TIMEOUT: (address) => ({
    detail: `${address} does not answer`,
    hint: 'Check the network, and try again.',
  }),
  UND_ERR_BODY_TIMEOUT: stalled,
  ECONNRESET: (address) => ({
    detail: `${address} closed the connection`,
    hint: 'Check SSL Mode: the server may speak HTTPS.',
  }),
  UND_ERR_SOCKET: (address) => ({
    detail: `${address} closed the connection`,
    hint: 'Check SSL Mode: the server may speak HTTPS.',
  }),
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned,
  CERT_SIGNATURE_FAILURE: selfSigned,
  ERR_TLS_CERT_ALTNAME_INVALID: (address) => ({
    detail: `the certificate is for another host than ${address}`,
    hint: 'Check Host, or use SSL Mode Verify CA, which does not check the host.',
  }),
  CERT_HAS_EXPIRED: (address) => ({
    detail: `the certificate of ${address} has expired`,
    hint: 'Renew it, or turn on Skip TLS Verification.',
  }),
  EPROTO: (address) => ({
    detail: `${address} does not speak TLS`,
    hint: 'Set SSL Mode to Disabled if the server speaks plain HTTP.',
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: (address) => ({
    detail: `${address} does not speak TLS`,
    hint: 'Set SSL Mode to Disabled if the server speaks plain HTTP.',
  }),
};

/** Whether undici received bytes that are not HTTP, such as the greeting of an SSH or mail server. */
function isNoHttp(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'HTTPParserError') return true;
  }
  return false;
}

const noHttp = (address: string) => ({
  detail: `${address} answers, but is not a Weaviate server: it does not speak HTTP`,
  hint: 'Check host and port: something else listens there.',
});

function networkCode(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException;
    if (code && code in networkFailures) return code;
  }
  return '';
}

export function authenticationFailure(said: string): DriverError {
  const keyUnwanted = /authentication scheme is configured|oidc auth is not configured/i.test(said);
  const keyMissing = /anonymous access not enabled/i.test(said);
  return new DriverError({
    code: 'authentication_failed',
    message: `Authentication failed: ${said}`,
    hint: keyUnwanted
      ? 'This server has no authentication: set Auth Method to None.'
      : keyMissing
        ? 'This server needs a key: set Auth Method to API Key.'
        : 'Enter the current API key in the connection and open it again.',
  });
}

/** The server's error message: from one of four JSON formats, or plain text. Empty if there is none. */
export function wordsOf(body: string): string {
  try {
    const json = JSON.parse(body) as {
      error?: { message?: string }[] | string;
      errors?: { message?: string }[];
      message?: string;
    };
    if (typeof json.error === 'string') return json.error;
    const list = json.error ?? json.errors;
    if (Array.isArray(list)) return list.map((one) => one.message ?? '').join('; ');
    return typeof json.message === 'string' ? json.message : '';
  } catch {
    return isMarkup(body) ? '' : body.trim().slice(0, 500);
  }
}

/** HTML or XML usually comes from a proxy, or from a server that is not Weaviate. It rarely helps the user. */
export function isMarkup(body: string): boolean {
  return /^\s*</.test(body);
}
