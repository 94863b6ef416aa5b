import type { Embed } from './embed.ts';

export interface VectorNodeOptions {
  /** The preferred port. If it is in use, or none is given, the node uses a free port. */
  port?: number;
  /** Without a key or its digest, everyone on this machine has access. */
  apiKey?: string;
  /** SHA-256 of the key in hex, for a caller that does not store the key. */
  keyDigest?: string;
  /** The folder for the file of edits. Without it, edits are lost with the process. */
  dataFolder?: string;
  /** The Weaviate version that the node reports. */
  version?: string;
  /** Whether the node contains the sample's collections. Defaults to true. */
  seed?: boolean;
  /** QUERY_MAXIMUM_RESULTS. */
  maximumResults?: number;
  /** For a bundle, where the word table is not next to the code. */
  embed?: Embed;
  /** Called if the data fails to load. The request is refused, and the next one tries again. */
  onLoadFailed?(error: unknown): void;
}
