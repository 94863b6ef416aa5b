import { serveStatic } from '@hono/node-server/serve-static';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { dataRoutes } from '../api/data-routes.ts';
import { appRouter } from '../api/router.ts';
import type { ApiContext } from '../api/trpc.ts';
import type { Admission } from './admission.ts';
import { cookieGate, hostGate, originGate, protectiveHeaders } from './gates.ts';
import { limitBody } from './limit-body.ts';
import { lockedPage, waitingPage } from './public-pages.ts';

/** The window's listener: gates first, then the one-time link, the API, the bytes and the page's files. */
export function createUiApp(options: {
  admission: Admission;
  context: ApiContext;
  folder: string;
  port: () => number;
}): Hono {
  const { admission, context: api, folder } = options;
  const app = new Hono();
  app.use(protectiveHeaders(), hostGate(options.port), originGate());

  app.get('/open', (context) => {
    // A browser that only looks ahead, or a link checker, must not use up the key.
    if (context.req.method !== 'GET' || context.req.header('sec-purpose')) return context.body(null, 503);
    const cookie = admission.redeem(context.req.query('key') ?? '');
    if (!cookie) return context.html(lockedPage, 401);
    setCookie(context, admission.cookieName, cookie, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return context.redirect('/', 303);
  });

  app.get('/waiting', (context) => context.html(waitingPage));

  app.use(cookieGate(admission));
  app.use('/api/*', limitBody(16));
  app.all('/api/*', (context) =>
    fetchRequestHandler({
      endpoint: '/api',
      req: context.req.raw,
      router: appRouter,
      createContext: () => api,
      // Text to classify can be longer than an address may be.
      allowMethodOverride: true,
      onError: ({ error, path }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR') api.app.reportError(error.cause ?? error, path ?? 'api');
      },
    }),
  );
  app.use('/data/*', limitBody(64));
  app.route('/data', dataRoutes(api.core));

  app.use('/assets/*', async (context, next) => {
    await next();
    // Their names carry a hash of what they hold.
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
