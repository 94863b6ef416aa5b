import type { ClassDefinition, PropertyDefinition } from '../definition.ts';
import { ServerError } from '../errors.ts';
import { capitalised } from '../store/class-defaults.ts';
import type { Database } from '../store/database.ts';
import { isMap } from '../store/value-check.ts';
import { ok, type Routes } from './router.ts';

export function schemaRoutes(database: Database): Routes {
  return {
    '/schema': {
      GET: () => ok({ classes: database.schema.all() }),
      POST: ({ body }) => {
        const definition = requireMap(body) as unknown as ClassDefinition;
        const name = capitalised(String(definition.class ?? ''));
        database.commit({ op: 'addClass', class: name, definition });
        return ok(database.schema.get(name));
      },
    },
    '/schema/{class}': {
      GET: ({ params }) => ok(database.schema.get(params.class ?? '')),
      PUT: ({ params, body }) => {
        const { class: name } = database.schema.get(params.class ?? '');
        const definition = requireMap(body) as unknown as ClassDefinition;
        database.commit({ op: 'replaceClass', class: name, definition });
        return ok(database.schema.get(name));
      },
      DELETE: ({ params }) => {
        const definition = database.schema.find(params.class ?? '');
        if (definition) database.commit({ op: 'dropClass', class: definition.class });
        return ok();
      },
    },
    '/schema/{class}/properties': {
      POST: ({ params, body }) => {
        const property = requireMap(body) as unknown as PropertyDefinition;
        const className = database.schema.find(params.class ?? '')?.class ?? params.class ?? '';
        database.commit({ op: 'addProperty', class: className, property });
        return ok(database.schema.get(className).properties?.at(-1));
      },
    },
  };
}

function requireMap(body: unknown): Record<string, unknown> {
  if (isMap(body)) return body;
  throw new ServerError(422, 'objectClass in body is required', { shape: 'coded', code: 602 });
}
