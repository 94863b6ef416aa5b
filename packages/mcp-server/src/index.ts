export type { ConnectedClient } from './clients.ts';
export { exportsUse } from './export/exports-folder.ts';
export { type McpServerOptions, type RunningMcpServer, startMcpServer } from './server.ts';
export { type McpStatus, type McpSupervisor, superviseMcpServer } from './supervisor.ts';
export type { OpenTable } from './tools/tool.ts';
