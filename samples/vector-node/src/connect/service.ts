import {
  connectBinary,
  connectMethods,
  create,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  TenantActivityStatus,
  type TenantsGetReply,
  TenantsGetReplySchema,
  type TenantsGetRequest,
  toBinary,
  toJson,
} from '@trestle/weaviate-connect';
import type { ClassDefinition } from '../definition.ts';
import { ServerError, unprocessable } from '../errors.ts';
import { refusal } from '../http/connect-refusal.ts';
import type { RouteAnswer } from '../http/router.ts';
import { prefixed } from '../search/filtered.ts';
import { type Limits, runGet } from '../search/get.ts';
import type { Database } from '../store/database.ts';
import { aggregateReply } from './aggregate.ts';
import { searchReply } from './search-reply.ts';
import { getInputOf } from './search-request.ts';

export type SampleMethod = 'Search' | 'Aggregate' | 'TenantsGet';

/** Reads a message in its binary form or as JSON, and answers in the same form. */
export class ConnectService {
  readonly #database: Database;
  readonly #limits: Limits;

  constructor(database: Database, limits: Limits) {
    this.#database = database;
    this.#limits = limits;
  }

  call(method: SampleMethod, { type, bytes }: { type: string; bytes: Buffer }): RouteAnswer {
    try {
      switch (method) {
        case 'Search': {
          const request = readMessage('Search', type, bytes);
          const definition = this.#find(request.collection);
          const [database, limits] = [this.#database, this.#limits];
          const input = getInputOf(request, definition, database);
          const hits = () => runGet(database, definition, input, limits);
          return this.#answer('Search', type, searchReply(request, { definition, database, hits }));
        }
        case 'Aggregate': {
          const request = readMessage('Aggregate', type, bytes);
          const definition = this.#find(request.collection, 'parse params: ');
          return this.#answer('Aggregate', type, aggregateReply(request, definition, this.#database));
        }
        case 'TenantsGet': {
          const request = readMessage('TenantsGet', type, bytes);
          return this.#answer('TenantsGet', type, this.#tenants(request));
        }
      }
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      // Only GraphQL has this prefix.
      return refusal(500, 'unknown', error.message.replace(/^invalid 'where' filter: /, ''));
    }
  }

  #find(name: string, prefix = ''): ClassDefinition {
    const definition = this.#database.schema.find(name);
    if (!definition) throw unprocessable(`${prefix}could not find class ${name} in schema`);
    return definition;
  }

  #tenants({ collection, params }: TenantsGetRequest): TenantsGetReply {
    const { class: name } = this.#find(collection);
    const all = [...prefixed('get tenants: ', () => this.#database.schema.tenants(name)).values()];
    const names = params.case === 'names' ? params.value.values : undefined;
    if (names?.length === 0) throw unprocessable('get tenants: must specify at least one tenant name');
    const shown = names ? all.filter((tenant) => names.includes(tenant.name)) : all;
    return create(TenantsGetReplySchema, {
      tenants: shown.map((tenant) => ({
        name: tenant.name,
        activityStatus:
          tenant.activityStatus === 'HOT' ? TenantActivityStatus.HOT : TenantActivityStatus.COLD,
      })),
    });
  }

  /** The limit is for the binary form, whichever form is sent. */
  #answer<Method extends SampleMethod>(
    method: Method,
    type: string,
    reply: MessageShape<(typeof connectMethods)[Method]['reply']>,
  ): RouteAnswer {
    const schema = connectMethods[method].reply as never;
    const bytes = toBinary(schema, reply as never);
    const { maximumMessageSize } = this.#limits;
    if (bytes.length > maximumMessageSize) {
      const sizes = `${bytes.length} vs. ${maximumMessageSize}`;
      return refusal(429, 'resource_exhausted', `grpc: trying to send message larger than max (${sizes})`);
    }
    if (type === connectBinary) return { status: 200, type, body: bytes };
    return { status: 200, body: toJson(schema, reply as never, { alwaysEmitImplicit: true }) };
  }
}

/** Like Weaviate, this ignores a key of the JSON that it does not know. */
function readMessage<Method extends SampleMethod>(
  method: Method,
  type: string,
  bytes: Buffer,
): MessageShape<(typeof connectMethods)[Method]['request']> {
  const schema = connectMethods[method].request as never;
  try {
    if (type === connectBinary) return fromBinary(schema, bytes);
    const json = JSON.parse(bytes.toString('utf8')) as JsonValue;
    return fromJson(schema, json, { ignoreUnknownFields: true });
  } catch (error) {
    throw unprocessable(`proto: ${error instanceof Error ? error.message : String(error)}`);
  }
}
