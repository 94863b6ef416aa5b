import { serveStatic } from '@hono/node-server/serve-static';
import type { Seats } from '@trestle/loopback';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Hono } from 'hono';
import { dataRoutes } from '../api/data-routes.ts';
import type { Downloads } from '../api/downloads.ts';
import { eventStream } from '../api/events.ts';
import type { ImportFiles } from '../api/import-files.ts';
import { Pages } from '../api/pages.ts';
import { appRouter } from '../api/router.ts';
import type { ApiContext } from '../api/trpc.ts';
import type { Admission } from './admission.ts';
import { enterRoute } from './enter-route.ts';
import { type Admitted, downloadGate, hostGate, keyGate, originGate, protectiveHeaders } from './gates.ts';
import { limitBody } from './limit-body.ts';
import { waitingPage } from './public-pages.ts';

/**
 * The routes of the window's listener. The page and its files are public. Everything that reads or changes data
 * needs the key. The one exception is a download: its path is a secret that works once.
 */
export function createUiApp(options: {
  admission: Admission;
  seats: Seats;
  downloads: Downloads;
  imports: ImportFiles;
  context: ApiContext;
  folder: string;
  port: () => number;
}): Hono<Admitted> {
  const { admission, downloads, context: api, folder } = options;
  const app = new Hono<Admitted>();
  const pages = new Pages();
  app.use(protectiveHeaders(), hostGate(options.port), originGate());

  app.route('/enter', enterRoute(admission));
  app.get('/waiting', (context) => context.html(waitingPage));
  app.use('/download/:ticket', downloadGate(downloads, options.seats));
  app.route('/download', downloads.routes);

  const gate = keyGate(admission, options.seats);
  for (const path of ['/api/*', '/data/*', '/events']) app.use(path, gate);
  app.get('/events', (context) =>
    eventStream({ ...api, pages }, context.req.query('page') ?? '', [
      context.req.raw.signal,
      context.get('window').ended,
    ]),
  );
  app.use('/api/*', limitBody(16));
  app.all('/api/*', (context) =>
    fetchRequestHandler({
      endpoint: '/api',
      req: context.req.raw,
      router: appRouter,
      createContext: () => ({ ...api, pages, window: context.get('window') }),
      // Lets a query use POST: its input may be a statement that is too long for a URL.
      allowMethodOverride: true,
      onError: ({ error, path }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR') api.app.reportError(error.cause ?? error, path ?? 'api');
      },
    }),
  );
  const limit = limitBody(64);
  // A file to import is streamed to the disk and has its own limit.
  app.use('/data/*', (context, next) =>
    context.req.path === '/data/import/file' ? next() : limit(context, next),
  );
  app.route('/data', dataRoutes(api.core, { downloads, imports: options.imports }));

  app.use('/assets/*', async (context, next) => {
    await next();
    // An asset's name contains a hash of its content, so changed content gets a new name.
    if (context.res.ok) context.res.headers.set('cache-control', 'private, max-age=31536000, immutable');
  });
  app.get('/*', serveStatic({ root: folder }));

  app.onError((error, context) => {
    if (!context.req.raw.signal.aborted) api.app.reportError(error, context.req.path);
    return context.json(
      { error: { code: 'internal', message: 'Trestle could not answer; see its log' } },
      500,
    );
  });
  return app;
}
