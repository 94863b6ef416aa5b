/** One field of a CSV file (RFC 4180). NULL is an empty field, and the empty text is `""`, so the two differ. */
export function csvField(text: string | null, delimiter = ','): string {
  if (text === null) return '';
  const needsQuotes = text === '' || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? quoted(text) : text;
}

/**
 * One name of a CSV header. Also quoted if it contains a possible delimiter or begins like JSON. Otherwise an import
 * could choose another delimiter, or read the file as JSON.
 */
export function csvName(name: string, delimiter = ','): string {
  return /^[[{]|[,;\t|]/.test(name) ? quoted(name) : csvField(name, delimiter);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Puts an apostrophe before text that Excel, LibreOffice or Google Sheets would run (OWASP, CSV injection). */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
