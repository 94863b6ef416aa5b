import { fenced } from './fence.ts';

/** An answer as a client gets it. */
export interface ToolAnswer {
  text: string;
}

/** Data inside the fence, and Trestle's own words after it. */
export function dataAnswer(source: string, data: string | string[], notes: string[] = []): ToolAnswer {
  const text = typeof data === 'string' ? data : data.join('\n');
  return { text: [fenced(text, source), ...notes].join('\n') };
}
