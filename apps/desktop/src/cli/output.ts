import { asTyped } from './own-command.ts';

/** Prints a sentence to the standard error. Returns the exit code of a failure. */
export function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value)}\n`);
}

/** Prints each column as wide as its widest cell, with its heading in capitals. */
export function printTable(heads: string[], rows: string[][]): void {
  const lines = [heads.map((head) => head.toUpperCase()), ...rows.map((row) => row.map(printable))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** The message and hint of an `Error` in one line, safe to print. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  const message = linesOf(error.message).join('; ');
  // The text may quote a server, so control characters are replaced.
  return asTyped(printable(hint ? `${/[.!?]$/.test(message) ? message : `${message}.`} ${hint}` : message));
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/**
 * Replaces control characters: a name from a user or server may contain control sequences for the terminal. Also
 * replaces characters that are not shown or that change the direction of the text, except those that emoji and some
 * scripts need.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /(?!\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    '�',
  );
}

/**
 * Text of a database on one line. In addition to control characters, replaces characters that are not shown or that
 * change the direction of the text, so a value cannot look like another one or like the next column.
 */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '⏎')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '�');
}

/** JSON whose texts are safe to print: characters that `JSON.stringify` leaves as they are get an escape. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\p{Cf}\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}

const shownAt = new WeakMap<NodeJS.WriteStream, string>();

/**
 * Replaces the line of progress at a terminal. An empty text clears the line for the next output. A longer text than
 * the terminal is wide would leave a line at each change. Equal texts are written once: a recorded terminal shows each
 * write as a line.
 */
export function showProgress(text: string, stream: NodeJS.WriteStream = process.stderr): void {
  const line = stream.columns ? text.slice(0, stream.columns - 1) : text;
  if (!stream.isTTY || line === (shownAt.get(stream) ?? '')) return;
  shownAt.set(stream, line);
  stream.write(`\r\u001b[K${line}`);
}
