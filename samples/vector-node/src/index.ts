export { createEmbedder, type Embed, embed } from './embed.ts';
export { digestOf } from './http/authenticate.ts';
export { startVectorNode, type VectorNode, type VectorNodeOptions } from './vector-node.ts';
