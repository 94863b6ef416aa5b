import { notFound, ServerError, unprocessable } from '../errors.ts';
import type { Database } from '../store/database.ts';
import type { Tenant } from '../store/schema-store.ts';
import { isMap } from '../store/value-check.ts';
import { ok, type RouteRequest, type Routes } from './router.ts';

export function tenantRoutes(database: Database): Routes {
  const find = ({ params }: RouteRequest): Tenant => {
    const tenant = database.schema.tenants(params.class ?? '').get(params.tenant ?? '');
    if (!tenant) throw notFound();
    return tenant;
  };
  return {
    '/schema/{class}/tenants': {
      GET: ({ params }) => ok([...database.schema.tenants(params.class ?? '').values()]),
      POST: ({ params, body }) => {
        const tenants = readTenants(body);
        const { class: className } = database.schema.get(params.class ?? '');
        const known = database.schema.tenants(className);
        // An existing tenant stays unchanged.
        const fresh = tenants
          .filter(({ name }) => !known.has(name))
          .map(({ name, activityStatus = 'HOT' }) => ({ name, activityStatus: statusOf(activityStatus) }));
        database.commit({ op: 'putTenants', class: className, tenants: fresh });
        return ok(tenants);
      },
      PUT: ({ params, body }) => {
        const tenants = readTenants(body);
        const { class: className } = database.schema.get(params.class ?? '');
        const known = database.schema.tenants(className);
        const missing = tenants.find(({ name }) => !known.has(name));
        if (missing) throw unprocessable(`tenant not found: "${missing.name}"`);
        const changed = tenants.map(({ name, activityStatus = 'HOT' }) => ({
          name,
          activityStatus: statusOf(activityStatus),
        }));
        database.commit({ op: 'putTenants', class: className, tenants: changed });
        return ok(changed);
      },
      DELETE: ({ params, body }) => {
        if (!Array.isArray(body)) throw bodyRequired();
        const { class: className } = database.schema.get(params.class ?? '');
        database.schema.tenants(className);
        database.commit({ op: 'dropTenants', class: className, names: body.map(String) });
        return ok();
      },
    },
    '/schema/{class}/tenants/{tenant}': {
      GET: (request) => ok(find(request)),
      HEAD: (request) => {
        find(request);
        return ok();
      },
    },
  };
}

function readTenants(body: unknown): { name: string; activityStatus?: string }[] {
  if (!Array.isArray(body)) throw bodyRequired();
  return body.map((one, index) => {
    const name = isMap(one) ? String(one.name ?? '') : '';
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      throw unprocessable(
        `tenant name at index ${index}:  '${name}' is not a valid tenant name. should only contain alphanumeric characters (a-z, A-Z, 0-9), underscore (_), and hyphen (-), with a length between 1 and 64 characters`,
      );
    }
    return one as { name: string; activityStatus?: string };
  });
}

/** ACTIVE and INACTIVE are the newer names of HOT and COLD. */
function statusOf(given: string): string {
  return { ACTIVE: 'HOT', INACTIVE: 'COLD' }[given] ?? given;
}

function bodyRequired(): ServerError {
  return new ServerError(422, 'body in body is required', { shape: 'coded', code: 602 });
}
