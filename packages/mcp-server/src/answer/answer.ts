import { fenced } from './fence.ts';

/** An answer as a client gets it: text, and files that came of it. */
export interface ToolAnswer {
  text: string;
  links?: { uri: string; name: string; mimeType: string }[];
}

/** Data inside the fence, and Trestle's own words after it. */
export function dataAnswer(source: string, data: string | string[], notes: string[] = []): ToolAnswer {
  const text = typeof data === 'string' ? data : data.join('\n');
  return { text: [fenced(text, source), ...notes].join('\n') };
}
