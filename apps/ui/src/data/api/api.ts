import type { AppRouter, DataRoutes, RowFrame, RowStreamBody, SaveFrame } from '@trestle/desktop/router';
import { type ChangeSet, packWire, type RowSet, readFrames, unpackWire } from '@trestle/driver-kit';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { askPassphrase } from './passphrase-request.ts';
import { appFetch } from './window-key.ts';

/**
 * All calls except `/enter`, the event stream and calls under `/data`. Calls are not batched, because in a batch the
 * slowest call delays the others, and no call can be aborted alone. Calls use POST, because a statement to classify may
 * be longer than a URL allows.
 */
export const api = createTRPCClient<AppRouter>({
  links: [httpLink({ url: '/api', methodOverride: 'POST', fetch: fetchAsPerson })],
});

/** A call that needs the administrator passphrase is sent again after the user has typed it. */
async function fetchAsPerson(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await fetchForTrpc(input, init);
  if (response.status !== 422) return response;
  const { error } = (await response.clone().json()) as TrpcFailure;
  const refusal = error?.data?.app;
  const isAsked = refusal?.code === 'passphrase_needed' && !String(input).includes('/app.unlock');
  if (isAsked && (await askPassphrase(refusal.message))) return fetchForTrpc(input, init);
  return response;
}

interface TrpcFailure {
  error?: { data?: { app?: { code: string; message: string } | null } };
}

/** Throws the error of an answer that did not come from tRPC, because tRPC cannot read such an answer. */
async function fetchForTrpc(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await fetchToTheEnd(input, init);
  if (response.ok) return response;
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as TrpcFailure;
  if (!body.error?.data) throw await readFailure(response);
  return response;
}

/** The largest body that is sent with `keepalive`, in bytes. */
const mostKeepalive = 50_000;

/**
 * The window writes records while it closes. Without `keepalive` the browser would drop these writes. But the browser
 * rejects a `keepalive` request if all running `keepalive` requests together have more than 64 KB. A rejected write is
 * sent again without `keepalive`. A large write is sent without `keepalive` from the start.
 */
async function fetchToTheEnd(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const size = typeof init?.body === 'string' ? new Blob([init.body]).size : 0;
  if (!String(input).includes('/records.write') || size > mostKeepalive) return appFetch(input, init);
  return appFetch(input, { ...init, keepalive: true }).catch((error) => {
    if (isSilence(error)) return appFetch(input, init);
    throw error;
  });
}

/** Calls `/data/<name>`. Request and answer are bytes. The app's side is `apps/desktop/src/api/data-routes.ts`. */
export async function data<Name extends keyof DataRoutes>(
  name: Name,
  connectionId: string,
  request: DataRoutes[Name]['request'],
  signal?: AbortSignal,
): Promise<DataRoutes[Name]['answer']> {
  const response = await postBytes(name, packWire({ connectionId, request }), { signal });
  return unpackWire(new Uint8Array(await response.arrayBuffer())) as DataRoutes[Name]['answer'];
}

export type StagedNews = DataRoutes['syncStaged']['answer'];

/**
 * Sends commands about the staged edits of a table, and receives what changed. The window sends commands also while it
 * closes: see `fetchToTheEnd`.
 */
export async function syncStaged(
  connectionId: string,
  request: DataRoutes['syncStaged']['request'],
): Promise<StagedNews> {
  const body = packWire({ connectionId, request });
  const isSmall = body.length <= mostKeepalive;
  const post = (keepalive: boolean) => postBytes('syncStaged', body, { keepalive });
  const response = await post(isSmall).catch((error) => {
    if (isSmall && isSilence(error)) return post(false);
    throw error;
  });
  return unpackWire(new Uint8Array(await response.arrayBuffer())) as StagedNews;
}

/**
 * Saves exactly these staged changes. Throws before the first value if the save does not start. Yields when the save has
 * started, and why its end cannot be stored yet, if so. Ends with the save. Throws the error that ended it early. After
 * `app_unreachable`, the save may still run.
 */
export async function* startSave(save: {
  id: string;
  connectionId: string;
  request: ChangeSet;
}): AsyncGenerator<{ started: true } | { unstored: { message: string } }, void> {
  const response = await postBytes('applyChanges', packWire(save));
  for await (const value of readFrames(response.body!)) {
    const frame = value as SaveFrame;
    if ('error' in frame) throw new ApiError(frame.error);
    if ('done' in frame) return;
    yield frame;
  }
  throw new ApiError(unreachable);
}

/**
 * The given columns of the matching rows, as they arrive. Ends with the batch that reaches the limit of the request.
 * Returns whether more rows match.
 */
export async function* streamRows(
  connectionId: string,
  request: RowStreamBody['request'],
  signal: AbortSignal,
): AsyncGenerator<RowSet, boolean> {
  const response = await postBytes('rows', packWire({ connectionId, request }), { signal });
  for await (const value of readFrames(response.body!)) {
    const frame = value as RowFrame;
    if ('rows' in frame) yield frame.rows;
    else if ('error' in frame) throw new ApiError(frame.error);
    else return frame.more;
  }
  throw new ApiError(unreachable);
}

/** Stops sending changes of a save. The save ends when the sent changes are answered. */
export async function cancelSave(id: string): Promise<void> {
  await postBytes('applyChanges/cancel', packWire({ id }));
}

async function postBytes(
  path: string,
  body: Uint8Array<ArrayBuffer>,
  options: { signal?: AbortSignal | undefined; keepalive?: boolean } = {},
): Promise<Response> {
  const response = await appFetch(`/data/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
    ...options,
  });
  if (!response.ok) throw await readFailure(response);
  return response;
}

/** An error that the app reported or this window found: a code, a sentence for the user, and perhaps a hint. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint?: string;

  constructor(details: { code: string; message: string; hint?: string }) {
    super(details.message);
    this.name = 'ApiError';
    this.code = details.code;
    this.hint = details.hint;
  }
}

/** Turns any thrown value into an ApiError. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCClientError) {
    const app = (error as TRPCClientError<AppRouter>).data?.app;
    if (app) return new ApiError(app);
    if (error.cause instanceof ApiError) return error.cause;
    if (isSilence(error.cause)) return new ApiError(unreachable);
    return new ApiError({ code: 'internal', message: error.message });
  }
  if (isSilence(error)) return new ApiError(unreachable);
  return new ApiError({ code: 'internal', message: error instanceof Error ? error.message : String(error) });
}

/**
 * Whether `fetch` got no answer, or the answer broke off. The browser then rejects with a `TypeError`, whose text
 * differs by browser. Firefox says `Error in input stream` if an answer breaks off.
 */
function isSilence(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed|(input|body) stream/i.test(error.message);
}

const unreachable = {
  code: 'app_unreachable',
  message: 'Trestle is not answering',
  hint: 'Start Trestle again. This page then continues, or asks for a code.',
};

/** The error in an answer that is not ok. */
export async function readFailure(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as { error: { code: string; message: string; hint?: string } };
    return new ApiError(body.error);
  } catch {
    return new ApiError({ code: 'internal', message: `Trestle answered ${response.status}` });
  }
}
