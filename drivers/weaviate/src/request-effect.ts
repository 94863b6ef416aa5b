import type { Effect } from '@trestle/driver-kit';
import { effectOfConnect, isConnectPath } from './connect-line.ts';

/**
 * The effect of an HTTP request on the server. GET, HEAD and OPTIONS read. Any other request that is not in `rules`
 * counts as the strongest effect: an endpoint of a future server may destroy data.
 */
export function effectOfRequest(method: string, path: string): Effect {
  const verb = method.toUpperCase();
  const route = path.split('?')[0] ?? '';
  if (isConnectPath(route)) return effectOfConnect(verb, route);
  if (verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS') return 'read';
  return rules.find((rule) => rule.verbs.includes(verb) && rule.route.test(route))?.effect ?? 'destroy';
}

const segment = '[A-Za-z0-9_-]+';

const rules: { verbs: string[]; route: RegExp; effect: Effect }[] = [
  { verbs: ['POST'], route: /^\/v1\/graphql$/, effect: 'read' },
  {
    verbs: ['POST'],
    route: new RegExp(`^/v1/schema/${segment}/properties/${segment}/tokenize$`),
    effect: 'read',
  },
  { verbs: ['POST'], route: /^\/v1\/objects$/, effect: 'write' },
  { verbs: ['PUT', 'PATCH'], route: new RegExp(`^/v1/objects/${segment}(/${segment})?$`), effect: 'write' },
  // With class and uuid in the path, the server deletes one row. Without the class, it deletes the uuid from every
  // collection.
  { verbs: ['DELETE'], route: new RegExp(`^/v1/objects/${segment}/${segment}$`), effect: 'write' },
  {
    verbs: ['POST', 'PUT', 'DELETE'],
    route: new RegExp(`^/v1/objects/${segment}/${segment}/references/${segment}$`),
    effect: 'write',
  },
  { verbs: ['POST'], route: /^\/v1\/batch\/(objects|references)$/, effect: 'write' },
  { verbs: ['POST'], route: /^\/v1\/schema$/, effect: 'write' },
  { verbs: ['POST'], route: new RegExp(`^/v1/schema/${segment}/(properties|tenants)$`), effect: 'write' },
];
