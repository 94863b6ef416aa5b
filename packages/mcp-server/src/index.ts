export { dataDirectory } from '@trestle/handshake';
export { type McpServerOptions, type RunningMcpServer, startMcpServer } from './server.ts';
export { type McpStatus, type McpSupervisor, superviseMcpServer } from './supervisor.ts';
