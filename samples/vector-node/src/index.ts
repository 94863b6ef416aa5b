export { createEmbedder, type Embed, embed } from './embed.ts';
export { startVectorNode, type VectorNode, type VectorNodeOptions } from './vector-node.ts';
