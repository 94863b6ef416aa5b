import type { SaveFrame } from '@trestle/core';
import { type ChangeSet, packWire, readFrames, unpackWire } from '@trestle/driver-kit';
import type { TestApp } from '../e2e/app.ts';
import { enterWindow } from '../enter-window.ts';

/** An answer of the app with an error. */
export class Refusal extends Error {
  readonly code: string;

  constructor(details: { code: string; message: string }) {
    super(details.message);
    this.code = details.code;
  }
}

export type WindowClient = Awaited<ReturnType<typeof openWindow>>;

/** Speaks to the app like its window: enters by a one-time link, gets a key, and sends the key with each request. */
export async function openWindow(app: TestApp) {
  const { origin, headers: own } = await enterWindow(await app.createLink());

  async function post(path: string, type: string, body: BodyInit, signal?: AbortSignal): Promise<Response> {
    const headers = { ...own, 'content-type': type, connection: 'close' };
    return fetch(`${origin}${path}`, { method: 'POST', headers, body, signal });
  }

  return {
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its answer
    async call(procedure: string, input?: unknown): Promise<any> {
      const answer = await post(`/api/${procedure}`, 'application/json', JSON.stringify(input) ?? '');
      const body = (await answer.json()) as {
        result?: { data: unknown };
        error?: { message: string; data: { app: { code: string; message: string } | null } };
      };
      if (body.error)
        throw new Refusal(body.error.data.app ?? { code: 'internal', message: body.error.message });
      return body.result?.data;
    },
    /** Packs the body, sends it to a data route and unpacks the answer. */
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its answer
    async data(route: string, body: unknown): Promise<any> {
      const answer = await post(`/data/${route}`, 'application/octet-stream', packWire(body));
      if (!answer.ok)
        throw new Refusal(((await answer.json()) as { error: { code: string; message: string } }).error);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return bytes.length > 0 ? unpackWire(bytes) : null;
    },
    /** Saves like the window. Yields each frame of the answer. */
    async *save(id: string, connectionId: string, request: ChangeSet, signal?: AbortSignal) {
      const body = packWire({ id, connectionId, request });
      const answer = await post('/data/applyChanges', 'application/octet-stream', body, signal);
      if (!answer.ok)
        throw new Refusal(((await answer.json()) as { error: { code: string; message: string } }).error);
      for await (const frame of readFrames(answer.body!)) yield frame as SaveFrame;
    },
    async run(connectionId: string, text: string, signal?: AbortSignal) {
      const body = packWire({ connectionId, request: { text, limit: 100 } });
      const answer = await post('/data/runQuery', 'application/octet-stream', body, signal);
      if (!answer.ok)
        throw new Refusal(((await answer.json()) as { error: { code: string; message: string } }).error);
      return unpackWire(new Uint8Array(await answer.arrayBuffer())) as {
        historyId: string;
        durationMs: number;
      };
    },
  };
}
