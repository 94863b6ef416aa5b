import { StreamLanguage } from '@codemirror/language';

/** Colours JSON. It has so few kinds of token that these lines replace a dependency on a grammar. */
export const jsonLanguage = StreamLanguage.define<null>({
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'attributeName' : 'string';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/i)) return 'number';
    if (stream.match(/^(?:true|false|null)\b/)) return 'keyword';
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ['[', '{', '"'] } },
});

/** The position of the first JSON error, or the end of the text if the browser reports none. Null for valid JSON. */
export function jsonProblem(text: string): { at: number; message: string } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    const line = /at line (\d+) column (\d+)/.exec(message);
    if (position !== undefined) return { at: Number(position), message };
    // Firefox counts lines and columns from 1.
    const before = line ? text.split('\n').slice(0, Number(line[1]) - 1) : null;
    const at =
      before && line ? before.reduce((sum, part) => sum + part.length + 1, Number(line[2]) - 1) : null;
    return { at: at ?? text.length, message };
  }
}
