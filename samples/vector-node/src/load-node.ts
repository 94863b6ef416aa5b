import { ConnectService } from './connect/service.ts';
import { embed as sampleEmbed } from './embed.ts';
import { GraphqlExecutor } from './graphql/execute.ts';
import { batchRoutes } from './http/batch-routes.ts';
import { nodeRoutes } from './http/node-routes.ts';
import { objectRoutes } from './http/object-routes.ts';
import { referenceRoutes } from './http/reference-routes.ts';
import { createRouter, type Router } from './http/router.ts';
import { schemaRoutes } from './http/schema-routes.ts';
import { tenantRoutes } from './http/tenant-routes.ts';
import { createSeed } from './seed.ts';
import { Database } from './store/database.ts';
import { limitsOf, type VectorNodeOptions } from './vector-node-options.ts';

/**
 * Loads everything except the listener: the routes, GraphQL, Connect, the collections with their objects and vectors, and the
 * edits of earlier runs.
 */
export function loadNode(
  options: VectorNodeOptions,
  url: () => string,
): { router: Router; connect: ConnectService; database: Database } {
  const embed = options.embed ?? sampleEmbed;
  const limits = limitsOf(options);
  const database = new Database({
    embed,
    ...(options.dataFolder !== undefined && { dataFolder: options.dataFolder }),
    seed: options.seed === false ? () => [] : createSeed(embed),
  });
  const graphql = new GraphqlExecutor(database, limits);
  const router = createRouter({
    ...nodeRoutes(database, graphql, { version: options.version ?? '1.39.0', url, limits }),
    ...schemaRoutes(database),
    ...tenantRoutes(database),
    ...objectRoutes(database, limits),
    ...referenceRoutes(database),
    ...batchRoutes(database, limits),
  });
  return { router, connect: new ConnectService(database, limits), database };
}
