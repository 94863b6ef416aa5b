/** The facts about a server that decide which settings its collections have. */
export interface KnownServer {
  version: string;
  /** Modules that make vectors. */
  vectorizers: string[];
  generative: string[];
  rerankers: string[];
}

export function isSince({ version }: KnownServer, minor: number): boolean {
  const [major = 0, has = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && has >= minor);
}
