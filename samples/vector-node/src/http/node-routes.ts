import type { GraphqlExecutor } from '../graphql/execute.ts';
import type { Limits } from '../search/get.ts';
import type { Database } from '../store/database.ts';
import { isMap } from '../store/value-check.ts';
import { ok, type Routes } from './router.ts';

/** Health, the node's own description, and GraphQL. */
export function nodeRoutes(
  database: Database,
  graphql: GraphqlExecutor,
  about: { version: string; url: () => string; limits: Limits },
): Routes {
  return {
    '/meta': {
      GET: () =>
        ok({
          grpcMaxMessageSize: about.limits.maximumMessageSize,
          hostname: about.url(),
          modules: {},
          sample: 'Trestle vector node',
          version: about.version,
        }),
    },
    '/\\.well-known/(?:ready|live)': { GET: () => ok() },
    '': {
      GET: () => ok({ links: [{ href: '/v1/meta', name: 'Meta information about this instance/cluster' }] }),
    },
    '/nodes': {
      GET: ({ query }) =>
        ok({ nodes: [nodeStatus(database, about.version, query.get('output') === 'verbose')] }),
    },
    '/graphql': {
      POST: async ({ body }) => ok(await graphql.run(isMap(body) ? body : {})),
    },
  };
}

function nodeStatus(database: Database, version: string, isVerbose: boolean): object {
  const shards = database.schema.all().flatMap((definition) => {
    const tenants = definition.multiTenancyConfig?.enabled
      ? [...database.schema.tenants(definition.class).keys()]
      : [undefined];
    return tenants.map((tenant) => ({
      class: definition.class,
      name: tenant ?? `${definition.class.toLowerCase()}-shard`,
      objectCount: database.objects.count(definition.class, tenant),
    }));
  });
  return {
    batchStats: { queueLength: 0, ratePerSecond: 0 },
    name: 'vector-node',
    operationalMode: 'ReadWrite',
    shards: isVerbose ? shards : null,
    ...(isVerbose && {
      stats: {
        objectCount: shards.reduce((sum, { objectCount }) => sum + objectCount, 0),
        shardCount: shards.length,
      },
    }),
    status: 'HEALTHY',
    version,
  };
}
