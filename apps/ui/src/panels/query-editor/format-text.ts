import type { Manifest } from '@trestle/driver-kit';
import { requestBlocks } from './request-blocks.ts';

export interface Formatted {
  text: string;
  /** One message for each part that could not be formatted: why, and for a request also its line. */
  problems: string[];
}

/**
 * Formats the text and keeps comments. Each formatter loads when it is first needed. `firstLine`: the line of the
 * document where the text starts.
 */
export async function formatText(
  text: string,
  language: Manifest['editor']['language'],
  firstLine = 1,
): Promise<Formatted> {
  return language === 'sql' ? formatSql(text) : formatRequests(text, firstLine);
}

async function formatSql(text: string): Promise<Formatted> {
  const { formatDialect, sqlite: sqlDialect } = await import('sql-formatter');
  try {
    const formatted = formatDialect(text, { dialect: sqlDialect, tabWidth: 2, linesBetweenQueries: 1 });
    return { text: text.endsWith('\n') ? `${formatted}\n` : formatted, problems: [] };
  } catch (error) {
    return { text, problems: [firstLine(error)] };
  }
}

async function formatRequests(text: string, start: number): Promise<Formatted> {
  const problems: string[] = [];
  let formatted = '';
  let done = 0;
  for (const { from, to, kind } of requestBlocks(text)) {
    const block = text.slice(from, to);
    formatted += text.slice(done, from);
    done = to;
    try {
      formatted += kind === 'rest' ? await formatRequestLine(block) : await formatGraphql(block);
    } catch (error) {
      formatted += block;
      const line = start - 1 + text.slice(0, from).split('\n').length;
      problems.push(`Line ${line} was left as it is: ${firstLine(error)}`);
    }
  }
  return { text: formatted + text.slice(done), problems };
}

async function formatGraphql(block: string): Promise<string> {
  const [{ format }, plugin] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/graphql'),
  ]);
  const plugins = [plugin.default ?? plugin];
  return (await format(block, { parser: 'graphql', plugins, printWidth: 90 })).trimEnd();
}

async function formatRequestLine(block: string): Promise<string> {
  const [, line = block, body = ''] = /^(\S+[ \t]+\S+)\s*([\s\S]*)$/.exec(block) ?? [];
  if (body.trim() === '') return line;
  JSON.parse(body);
  // The formatter changes only white space: a number with more digits than a double can hold stays as typed.
  const { applyEdits, format } = await import('jsonc-parser');
  const edits = format(body, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' });
  return `${line}\n${applyEdits(body, edits).trimEnd()}`;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
