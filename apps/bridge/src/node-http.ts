/**
 * `import 'node:http'` reads every export. One of them is WebSocket, which loads undici and doubles the time in which
 * a bridge starts.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');
