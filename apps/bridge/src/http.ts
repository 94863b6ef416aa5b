/**
 * `import 'node:http'` reads every export, the lazy WebSocket among them, and loads the whole of undici for it:
 * 30 ms at each start of a process that needs none of it.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');
