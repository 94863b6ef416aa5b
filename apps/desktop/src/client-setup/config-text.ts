/** Reads the text of a client's configuration, and sets or removes our entry in it. */
export interface ConfigText {
  /** The configuration as the client will parse it. Throws if it is invalid. */
  read(text: string): Record<string, unknown>;
  set(text: string, entry: Record<string, unknown>): string;
  remove(text: string): string;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
