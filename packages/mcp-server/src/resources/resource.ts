import type { Caller, Core } from '@trestle/core';
import type { ToolCall } from '../tools/tool.ts';

/** A thing that a client reads by its URI. Listed in resources.ts. */
export interface ResourceDefinition {
  name: string;
  title: string;
  description: string;
  /** URI, or URI template. */
  uri: string;
  /** The resources behind a template that a client may see, without touching a database. */
  list?(core: Core, caller: Caller): { uri: string; name: string }[];
  /** The text, with its data inside a fence. */
  read(variables: Record<string, string>, call: ToolCall): Promise<{ text: string }>;
}

export const connectionsUri = 'trestle://connections';

export function connectionUri(connectionId: string, part: 'schema' | 'tables' | 'history'): string {
  return `${connectionsUri}/${encodeURIComponent(connectionId)}/${part}`;
}
