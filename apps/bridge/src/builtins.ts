/**
 * An `import` of these reads every export, the lazy ones among them: with `node:http` the whole of undici for its
 * WebSocket, with `node:fs` file streams and readline. 30 ms at each start of a process that needs none of it.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');
export const { existsSync } = process.getBuiltinModule('node:fs');
export const { randomUUID } = process.getBuiltinModule('node:crypto');
