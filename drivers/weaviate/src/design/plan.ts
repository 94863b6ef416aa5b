import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Act,
  type ActEnd,
  type ActStep,
  type Design,
  type DesignForm,
  type DesignPlan,
  type DesignSource,
  type DesignStep,
  type DesignValue,
  DriverError,
  type Json,
  type PlanRequest,
  type StepRequest,
} from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';
import type { WeaviateClient } from '../client.ts';
import { creationCode } from './code.ts';
import {
  definitionIn,
  definitionOf,
  designOf,
  recordsIn,
  type Settings,
  settingsOf,
  withoutShards,
} from './definition.ts';
import { requestLine, stepsBetween, wordsOf } from './difference.ts';
import { designForm } from './form.ts';
import { designOfColumns } from './found-columns.ts';
import type { KnownServer } from './known-server.ts';
import { problemsOf } from './problems.ts';
import { type Config, defaultsOf, isSame, isShown, type Setting } from './setting.ts';

/** Designs of collections on one server. Every method reads; only the app sends the statements of the plans. */
export class Designs {
  readonly #client: WeaviateClient;
  readonly #version: string;
  readonly #signal: AbortSignal;

  constructor(client: WeaviateClient, version: string, signal: AbortSignal) {
    this.#client = client;
    this.#version = version;
    this.#signal = signal;
  }

  async form(): Promise<DesignForm> {
    return designForm(await this.#server());
  }

  async read(source: DesignSource): Promise<Design> {
    const server = await this.#server();
    if ('columns' in source) return designOfColumns(source.columns, server);
    const settings = settingsOf(server);
    const definition = 'table' in source ? await this.#definition(source.table) : definitionIn(source);
    return designOf(definition, settings);
  }

  async plan({ design, table }: PlanRequest): Promise<DesignPlan> {
    const server = await this.#server();
    const settings = settingsOf(server);
    const names = { collections: await this.#names(), aliases: await this.#aliases() };
    const problems = problemsOf(design, { settings, names, table });
    if (problems.length > 0) return { problems, steps: [], code: [] };
    if (table === undefined) {
      const definition = withoutShards(definitionOf(design, settings));
      const step: DesignStep = {
        later: 'now',
        title: `Make the collection ${design.name}`,
        text: requestLine('POST', '/schema', definition),
        undo: 'Delete the collection.',
        changes: [],
      };
      return { problems, steps: [step], code: creationCode(definition, this.#client.place) };
    }
    const definition = await this.#definition(table);
    const before = designOf(definition, settings);
    const steps = stepsBetween(before, { ...design, name: table }, { definition, settings, server });
    return { problems, steps, code: [], seen: fingerprint(definition) };
  }

  /** The next step of an act. After the last one, the collection is read again and compared with the design. */
  async step({ act, state, answer }: StepRequest): Promise<ActStep> {
    const table = act.kind === 'create' ? act.design.name : act.table;
    const { sent, steps } = state === null ? { sent: 0, steps: null } : (state as unknown as State);
    if (answer && 'error' in answer) return end(sent > 1 ? 'partly' : 'none', [answer.error.message]);
    if (steps === null) return this.#first(act, table);
    const last = steps[sent - 1];
    if (last?.isTask) {
      const task = await this.#task(table, last.text);
      if (task?.isOver) return end('partly', [`${last.title}: the server ended the task. ${task.words}`]);
      if (task) {
        const { progress } = task;
        const state = asJson({ sent, steps });
        return {
          ...{ kind: 'wait', title: last.title, seconds: 1, state },
          ...(progress !== undefined && { progress }),
        };
      }
    }
    const next = steps[sent];
    if (next) return send(next, { sent: sent + 1, steps });
    return end('all', await this.#notTaken(table, act));
  }

  async #first(act: Act, table: string): Promise<ActStep> {
    const plan = await this.plan({ design: act.design, ...(act.kind === 'change' && { table }) });
    const { problems } = plan;
    if (problems.length > 0)
      return end(
        'none',
        problems.map(({ problem }) => problem),
      );
    if (act.kind === 'change' && plan.seen !== act.seen)
      return end('none', [`${table} has changed meanwhile. Nothing was sent. Look at the changes again.`]);
    const steps = plan.steps.flatMap(({ title, text, later }) =>
      text === undefined ? [] : [{ title, text, isTask: later === 'task' }],
    );
    const [first] = steps;
    return first ? send(first, { sent: 1, steps }) : end('none', ['The design changes nothing.']);
  }

  /** The task that this statement began, if it runs, or if it ended without its result. */
  async #task(table: string, text: string): Promise<Task | null> {
    const property = /\/properties\/([^/]+)\/index\//.exec(text)?.[1];
    const listed = recordsIn((await this.#read(`/v1/schema/${table}/indexes`)).properties).filter(
      ({ name }) => name === property,
    );
    for (const { status, progress } of listed.flatMap(({ indexes }) => recordsIn(indexes))) {
      if (status === 'pending' || status === 'indexing')
        return { isOver: false, ...(typeof progress === 'number' && { progress }) };
      if (status === 'failed') return { isOver: true, words: 'It failed: the log of the server says why.' };
      if (status === 'cancelled') return { isOver: true, words: 'It was cancelled.' };
    }
    return null;
  }

  async #notTaken(table: string, { kind, design }: Act): Promise<string[]> {
    const settings = settingsOf(await this.#server());
    const has = await this.read({ table });
    const isOff = has.parts.vectors?.every(
      ({ fields }) => fields.index === 'hnsw' && fields.compression === 'none',
    );
    const isNew = kind === 'create';
    const isCompressed = !isNew && isOff && (await this.#isCompressed(table));
    return [...notTaken(has, design, { settings, isNew }), ...(isCompressed ? [stillCompressed] : [])];
  }

  /** Turning a compression off changes the definition only. The nodes tell what the index is. */
  async #isCompressed(table: string): Promise<boolean> {
    const nodes = recordsIn((await this.#readIfAllowed(`/v1/nodes/${table}?output=verbose`)).nodes);
    return nodes.flatMap(({ shards }) => recordsIn(shards)).some(({ compressed }) => compressed === true);
  }

  async #server(): Promise<KnownServer> {
    const meta = await this.#read('/v1/meta');
    const modules = isRecord(meta.modules) ? Object.keys(meta.modules) : [];
    const named = (start: RegExp) => modules.filter((name) => start.test(name)).sort();
    return {
      version: this.#version,
      vectorizers: named(/^(text|img|multi|bind|ref)\w*2(multi)?vec-/),
      generative: named(/^generative-/),
      rerankers: named(/^reranker-/),
    };
  }

  async #names(): Promise<string[]> {
    return recordsIn((await this.#read('/v1/schema')).classes).map((one) => String(one.class));
  }

  /** None, if the server is too old, or if the key may not see them. */
  async #aliases(): Promise<string[]> {
    return recordsIn((await this.#readIfAllowed('/v1/aliases')).aliases).map(({ alias }) => String(alias));
  }

  async #definition(table: string): Promise<Config> {
    const found = recordsIn((await this.#read('/v1/schema')).classes).find((one) => one.class === table);
    if (!found) throw new DriverError({ code: 'not_found', message: `There is no collection "${table}"` });
    return found;
  }

  /** Empty if the server does not have the path, or if the key may not read it. */
  async #readIfAllowed(path: string): Promise<Config> {
    const request = { method: 'GET', path, ceiling: 'read', signal: this.#signal } as const;
    const answer = await this.#client.send(request);
    const found = answer.status === 200 ? this.#client.parse(answer.body) : {};
    return isRecord(found) ? found : {};
  }

  async #read(path: string): Promise<Config> {
    const found = await this.#client.json({ method: 'GET', path, ceiling: 'read', signal: this.#signal });
    return isRecord(found) ? found : {};
  }
}

const stillCompressed =
  'The definition says that compression is off. The index stays compressed until the server is restarted.';

interface Task {
  isOver: boolean;
  words?: string;
  progress?: number;
}

interface State {
  /** How many of the steps were sent. */
  sent: number;
  steps: Sent[];
}

interface Sent {
  title: string;
  text: string;
  isTask: boolean;
}

function send({ title, text }: Sent, state: State): ActStep {
  return { kind: 'send', title, text, state: asJson(state) };
}

function asJson(state: State): Json {
  return state as unknown as Json;
}

function end(made: ActEnd['made'], notes: string[]): ActStep {
  return { kind: 'end', ended: { made, notes } };
}

/** A 200 does not mean that the server took every setting. Only settings that the design states are compared. */
function notTaken(
  has: Design,
  wanted: Design,
  { settings, isNew }: { settings: Settings; isNew: boolean },
): string[] {
  const notes = (all: Setting[], [is, want]: [Design['fields'], Design['fields']], label: string): string[] =>
    all.flatMap(({ field, change }) => {
      const [found, asked] = [is[field.id] ?? field.default, want[field.id]];
      if (asked === undefined || isTaken(field, found, asked)) return [];
      if (!isShown(field, { ...defaultsOf(all), ...want })) return [];
      const later = change?.(found, asked, is).later ?? field.later;
      // A change that needs a copy was not sent.
      if (later === 'copy' && !isNew) return [];
      return [`${label}${field.label}: the server kept ${wordsOf(field, found) || 'nothing'}.`];
    });
  const inParts = (part: string, all: Setting[]) =>
    (wanted.parts[part] ?? []).flatMap((item) => {
      const name = String(item.fields.name ?? '');
      const found = has.parts[part]?.find(({ fields }) => fields.name === name);
      if (!found) return [];
      return notes(all, [found.fields, item.fields], `${name || 'The vector'}: `);
    });
  return [
    ...notes(settings.collection, [has.fields, wanted.fields], ''),
    ...inParts('properties', settings.property),
    ...inParts('vectors', settings.vector),
  ];
}

/** The server adds its own settings to those of a module. */
function isTaken({ type }: Setting['field'], found: DesignValue, asked: DesignValue): boolean {
  if (type !== 'json') return isSame(found, asked);
  const has = JSON.parse(String(found)) as Config;
  return Object.entries(JSON.parse(String(asked)) as Config).every(([name, value]) =>
    isDeepStrictEqual(has[name], value),
  );
}

function fingerprint(definition: Config): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(definition)))
    .digest('base64url');
}

/** Weaviate returns properties in another order after a change. */
function sorted(value: Json): Json {
  if (Array.isArray(value))
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name]!)]),
  );
}
