import { randomUUID } from 'node:crypto';
import type { SaveFrame, StagedNews } from '@trestle/core';
import {
  applyCommand,
  changesOf,
  noEdits,
  type StagedEdits,
  stagedRows,
  unpackEdits,
  type WindowCommand,
} from '@trestle/core/staged-edits';
import { type ChangeOutcome, type ChangeSet, packWire, readFrames, unpackWire } from '@trestle/driver-kit';
import { stepsFor } from '../../packages/core/src/staged-edits/testing/steps-for.ts';
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

async function refusal(answer: Response): Promise<Refusal> {
  return new Refusal(((await answer.json()) as { error: { code: string; message: string } }).error);
}

export type SavePart =
  | { outcomes: ChangeOutcome[] }
  | Exclude<SaveFrame, { started: true } | { unstored: unknown }>;

export type WindowClient = Awaited<ReturnType<typeof openWindow>>;

/** Speaks to the app like its window: enters by a one-time link, gets a key, and sends the key with each request. */
export async function openWindow(app: TestApp) {
  return windowClient(await enterWindow(await app.createLink()));
}

export function windowClient({ origin, headers: own }: Awaited<ReturnType<typeof enterWindow>>) {
  async function post(path: string, type: string, body: BodyInit, signal?: AbortSignal): Promise<Response> {
    const headers = { ...own, 'content-type': type, connection: 'close' };
    return fetch(`${origin}${path}`, { method: 'POST', headers, body, signal });
  }

  /** Packs the body, sends it to a data route and unpacks the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its answer
  async function data(route: string, body: unknown): Promise<any> {
    const answer = await post(`/data/${route}`, 'application/octet-stream', packWire(body));
    if (!answer.ok) throw await refusal(answer);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return bytes.length > 0 ? unpackWire(bytes) : null;
  }

  async function staged(connectionId: string, place: { table: string; partition?: string }) {
    let edits: StagedEdits = noEdits;
    let revision: number | null = null;
    let number = 1;
    const window = randomUUID();
    /** Of the saves that ran while this window followed. */
    const outcomes: ChangeOutcome[] = [];
    const send = async (...commands: WindowCommand[]): Promise<void> => {
      const request = { ...place, since: revision, window, first: number, commands };
      const news: StagedNews = await data('syncStaged', { connectionId, request });
      if ('whole' in news) edits = unpackEdits(news.whole)!;
      else {
        for (const one of news.commands) {
          const command = 'own' in one ? commands[one.own - number]! : one.command;
          if (command.kind === 'settle') outcomes.push(...command.outcomes);
          edits = applyCommand(edits, command);
        }
      }
      revision = news.revision;
      number += commands.length;
    };
    await send();
    return {
      get edits() {
        return edits;
      },
      send,
      /** Saves what is staged of these rows. */
      async *save(id: string, rows: string[], signal?: AbortSignal): AsyncGenerator<SavePart> {
        const wanted = new Set(rows);
        const all = changesOf(stagedRows(edits)).filter((change) => wanted.has(change.id));
        const body = packWire({ id, connectionId, request: { ...place, changes: all } });
        const answer = await post('/data/applyChanges', 'application/octet-stream', body, signal);
        if (!answer.ok) throw await refusal(answer);
        let isStarted = false;
        for await (const value of readFrames(answer.body!)) {
          const frame = value as SaveFrame;
          if ('started' in frame) {
            isStarted = true;
            continue;
          }
          if ('unstored' in frame) continue;
          if (!isStarted && 'error' in frame) throw new Refusal(frame.error);
          await send();
          yield { outcomes: outcomes.splice(0) };
          yield frame;
        }
      },
      /** Waits until no save runs. Returns the outcomes that arrived since the last call. */
      async settled(): Promise<ChangeOutcome[]> {
        for (await send(); edits.saving; await send())
          await new Promise((resolve) => setTimeout(resolve, 20));
        return outcomes.splice(0);
      },
    };
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
    data,
    /** The staged edits of a table, as this window has them. */
    staged: (connectionId: string, place: { table: string; partition?: string }) =>
      staged(connectionId, place),
    /** Stages these changes and no others of their rows, and saves them. Yields the outcomes and how the save ended. */
    async *save(id: string, connectionId: string, request: ChangeSet, signal?: AbortSignal) {
      const { changes, ...place } = request;
      const rows = changes.map((change) => change.id);
      const edits = await staged(connectionId, place);
      await edits.send({ kind: 'discardRows', rows }, { kind: 'stage', steps: stepsFor(changes) });
      yield* edits.save(id, rows, signal);
    },
    async run(connectionId: string, text: string, signal?: AbortSignal) {
      const body = packWire({ connectionId, request: { text, limit: 100 } });
      const answer = await post('/data/runQuery', 'application/octet-stream', body, signal);
      if (!answer.ok) throw await refusal(answer);
      return unpackWire(new Uint8Array(await answer.arrayBuffer())) as {
        historyId: string;
        durationMs: number;
      };
    },
  };
}
