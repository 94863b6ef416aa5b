import { Call } from './call.ts';
import { type LegacyClient, modernize } from './legacy-client.ts';
import { isObject, metaKey, type Params, type RpcMessage } from './messages.ts';
import type { Upstream } from './upstream.ts';

/**
 * Keeps one `subscriptions/listen` request open for an older client, which does not know this request. The request ends
 * when the app stops. After the client's next call, the bridge sends a new request.
 */
export class Subscription {
  readonly #upstream: Upstream;
  readonly #write: (message: RpcMessage) => void;
  readonly #uris = new Set<string>();
  #capabilities: Params = {};
  #running: Call | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(upstream: Upstream, write: (message: RpcMessage) => void) {
    this.#upstream = upstream;
    this.#write = write;
  }

  /** Stores the server's capabilities. They say which events the server can report. */
  offer(capabilities: unknown): void {
    this.#capabilities = isObject(capabilities) ? capabilities : {};
  }

  change(method: 'resources/subscribe' | 'resources/unsubscribe', uri: string, client: LegacyClient): void {
    if (method === 'resources/subscribe') this.#uris.add(uri);
    else this.#uris.delete(uri);
    this.close();
    this.#listen(client);
  }

  /** Starts the request, unless it already runs. Waits a little first, so that the client's first calls go before it. */
  keep(client: LegacyClient): void {
    if (this.#running) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#listen(client);
    }, lastOfAllMs);
  }

  #listen(client: LegacyClient): void {
    const notifications = this.#filter();
    if (this.#running || Object.keys(notifications).length === 0) return;
    const call = new Call();
    this.#running = call;
    const request = {
      jsonrpc: '2.0',
      id: `trestle-listen-${++this.#count}`,
      method: 'subscriptions/listen',
      params: { notifications },
    } as const;
    this.#upstream
      .send({
        message: modernize(request, client),
        call,
        onMessage: (message) => this.#pass(message),
        // If the user has just quit the app, a subscription must not start it again.
        isIdle: true,
      })
      .catch(() => {})
      .finally(() => {
        if (this.#running === call) this.#running = undefined;
      });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.cancel();
    this.#running = undefined;
  }

  #pass(message: RpcMessage): void {
    if (!('method' in message) || message.method === 'notifications/subscriptions/acknowledged') return;
    const { _meta, ...params } = message.params ?? {};
    const { [metaKey.subscriptionId]: _, ...meta } = isObject(_meta) ? _meta : {};
    this.#write({ ...message, params: Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params });
  }

  #filter(): Params {
    const has = (area: string, flag: string) => {
      const value = this.#capabilities[area];
      return isObject(value) && value[flag] === true;
    };
    return {
      ...(has('tools', 'listChanged') && { toolsListChanged: true }),
      ...(has('prompts', 'listChanged') && { promptsListChanged: true }),
      ...(has('resources', 'listChanged') && { resourcesListChanged: true }),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
  }
}

/** A subscription opens its own socket. Without a pause, it would delay the calls that the client waits for. */
const lastOfAllMs = 50;
