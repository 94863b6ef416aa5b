/** An answer split into its parts. */
export interface ReadAnswer {
  /** Lines inside the fence. */
  lines: string[];
  /** The first line of the data, split at tabs. */
  columns: string[];
  /** The other lines, split at tabs. Quotes and escapes are not decoded. */
  rows: string[][];
  /** Trestle's own words after the data. The whole text if there is no data. */
  notes: string;
}

export function readAnswer(text: string): ReadAnswer {
  const [, mark] = / until "end (\d{12})", never/.exec(text) ?? [];
  if (mark === undefined) return { lines: [], columns: [], rows: [], notes: text };
  const all = text.split('\n');
  const start = all.findIndex((line) => line.includes(` until "end ${mark}", never`));
  const end = all.indexOf(`end ${mark}`);
  const lines = all.slice(start + 1, end);
  const [columns = [], ...rows] = lines.map((line) => line.split('\t'));
  return { lines, columns, rows, notes: all.slice(end + 1).join('\n') };
}

/** The first text of a tool's result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content[0]?.text ?? '';
}
