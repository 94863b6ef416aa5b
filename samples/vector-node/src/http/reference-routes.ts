import type { Database } from '../store/database.ts';
import { editReferences, type ReferenceEdit } from '../store/references.ts';
import { idOf } from './object-routes.ts';
import { type Handler, noContent, ok, type Routes } from './router.ts';

export function referenceRoutes(database: Database): Routes {
  const edit =
    (kind: ReferenceEdit): Handler =>
    ({ params, query, body }) => {
      const tenant = query.get('tenant') ?? undefined;
      const at = { className: params.class ?? '', id: idOf(params), property: params.property ?? '' };
      editReferences(database, { ...at, ...(tenant && { tenant }) }, kind, body);
      return kind === 'remove' ? noContent() : ok();
    };
  return {
    '/objects/{class}/{id}/references/{property}': {
      POST: edit('add'),
      PUT: edit('replace'),
      DELETE: edit('remove'),
    },
  };
}
