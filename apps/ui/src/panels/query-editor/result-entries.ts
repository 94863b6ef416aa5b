import type { RunResult } from '@trestle/driver-kit';
import type { Batch, Finished } from './use-run-query.ts';

/** One tab of the results: a result of a statement, or the outcome of a statement without a result. */
export interface ResultEntry {
  id: string;
  label: string;
  /** The number of rows, shown beside the label. */
  count?: number;
  run: Finished;
  result?: RunResult;
}

/** The results of a batch in the order of its statements. */
export function resultEntries({ finished }: Batch): ResultEntry[] {
  const isOne = finished.length === 1;
  return finished.flatMap((run, at) => {
    const said = shortText(run.text);
    if (run.state !== 'done' || run.outcome.results.length === 0) {
      return [{ id: `${at}`, label: isOne ? 'Result' : said, run }];
    }
    const { results } = run.outcome;
    return results.map((result, index): ResultEntry => {
      // The title of a document may be only a status such as `HTTP 200`. So among several statements, the statement is
      // the label.
      const named = isOne || result.kind === 'rows' ? result.title : undefined;
      const number = results.length > 1 ? ` ${index + 1}` : '';
      const label = named ?? (isOne ? `Result${number}` : `${said}${number}`);
      const count = result.kind === 'rows' ? { count: result.rows.rowCount } : {};
      return { id: `${at}.${index}`, label, ...count, run, result };
    });
  });
}

/** The entry in front until the user chooses one: the entry of the statement that failed, or else the first entry. */
export function firstToShow(batch: Batch, entries: ResultEntry[]): string {
  const last = batch.finished.at(-1);
  const shown = last?.state === 'failed' ? entries.at(-1) : entries[0];
  return shown?.id ?? '';
}

/** A name for a text: the line comment at its start, or else its first words. */
export function suggestedName(text: string): string {
  const [, comment] = /^\s*(?:--|#)[ \t]*([^\n]*\S)/.exec(text) ?? [];
  return comment === undefined ? shortText(text) : [...comment.slice(0, readAtMost)].slice(0, 80).join('');
}

const longest = 32;
/** A text may have megabytes, so it is cut to this length before it is split into characters. */
const readAtMost = 1000;

/** The start of a statement on one line, without the line comments before it. */
export function shortText(text: string): string {
  const rest = text.replace(/^(\s*(--|#)[^\n]*(\n|$))+/, '').trim();
  const plain = rest.slice(0, readAtMost).replaceAll(/\s+/g, ' ');
  const letters = [...plain];
  const isWhole = letters.length <= longest && rest.length <= readAtMost;
  return isWhole ? plain : `${letters.slice(0, longest).join('')}…`;
}
