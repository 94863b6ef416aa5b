export { createEmbedder, type Embed, embed } from './embed.ts';
export { digestOf } from './http/authenticate.ts';
export { startVectorNode, type VectorNode } from './vector-node.ts';
export type { VectorNodeOptions } from './vector-node-options.ts';
