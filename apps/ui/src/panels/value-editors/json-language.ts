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

/** The position and message of the first JSON error. Null for valid JSON. */
export function jsonProblem(text: string): { at: number; message: string } | null {
  const message = parseError(text);
  if (message === null) return null;
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return { at: Number(position), message };
  if (isUnexpectedToken(message)) return { at: tokenPosition(text), message };
  const line = /at line (\d+) column (\d+)/.exec(message);
  if (!line) return { at: text.length, message };
  // Firefox counts lines and columns from 1.
  const before = text.split('\n').slice(0, Number(line[1]) - 1);
  return { at: before.reduce((sum, part) => sum + part.length + 1, Number(line[2]) - 1), message };
}

function parseError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Chrome may report an unexpected token without a position. */
function isUnexpectedToken(message: string): boolean {
  return message.startsWith('Unexpected token');
}

/**
 * Finds the unexpected token by binary search. A prefix of the text fails with “Unexpected token” if it includes the
 * token. A shorter prefix does not.
 */
function tokenPosition(text: string): number {
  let without = 0;
  let including = text.length;
  while (including - without > 1) {
    const middle = (without + including) >> 1;
    if (isUnexpectedToken(parseError(text.slice(0, middle)) ?? '')) including = middle;
    else without = middle;
  }
  return including - 1;
}
