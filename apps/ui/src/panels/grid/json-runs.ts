export interface JsonRun {
  text: string;
  /** True for punctuation: brackets, quotes, commas, colons and the spaces between them. */
  isForm: boolean;
}

/**
 * Splits the text of a JSON value into runs of punctuation and value. The text may be incomplete. Of a
 * string, only the quotes are punctuation.
 */
export function jsonRuns(text: string): JsonRun[] {
  const runs: JsonRun[] = [];
  let start = 0;
  let wasForm = true;
  let inString = false;
  const end = (at: number, isForm: boolean) => {
    if (isForm === wasForm) return;
    if (at > start) runs.push({ text: text.slice(start, at), isForm: wasForm });
    start = at;
    wasForm = isForm;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (inString && character === '\\') {
      end(at, false);
      at++;
      continue;
    }
    if (character === '"') {
      end(at, true);
      inString = !inString;
    } else end(at, !inString && '[]{},: '.includes(character));
  }
  if (start < text.length) runs.push({ text: text.slice(start), isForm: wasForm });
  return runs;
}
