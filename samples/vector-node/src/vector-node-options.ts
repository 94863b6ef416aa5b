import type { Embed } from './embed.ts';

export interface VectorNodeOptions {
  /** The preferred port. If it is in use or not permitted, or none is given, the node uses a free port. */
  port?: number;
  /** Without a key or its digest, everyone on this machine has access. */
  apiKey?: string;
  /** SHA-256 of the key in hex, instead of `apiKey`: the program that starts the node need not store the key. */
  keyDigest?: string;
  /** The folder for the file of edits. Without a folder, edits are lost when the process ends. */
  dataFolder?: string;
  /** The Weaviate version that the node reports. */
  version?: string;
  /** Whether the node contains the sample's collections. Defaults to true. */
  seed?: boolean;
  /**
   * Weaviate's QUERY_MAXIMUM_RESULTS: the largest offset plus limit, and the most objects of one batch delete. Defaults
   * to 10,000.
   */
  maximumResults?: number;
  /** Weaviate's GRPC_MAX_MESSAGE_SIZE: the most bytes of a request or an answer over Connect. Defaults to 104,858,000. */
  maximumMessageSize?: number;
  /**
   * Makes the vector of a text. A bundle must set this option, because the default finds its word vectors only in the
   * source tree.
   */
  embed?: Embed;
  /** Called if the data fails to load. The request that needed it gets status 503. The next request retries the load. */
  onLoadFailed?(error: unknown): void;
}

export function limitsOf({ maximumResults = 10_000, maximumMessageSize = 104_858_000 }: VectorNodeOptions) {
  return { maximumResults, maximumMessageSize };
}
