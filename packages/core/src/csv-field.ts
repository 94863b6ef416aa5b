/** One field of a CSV file (RFC 4180). NULL is an empty field, and the empty text is `""`, so the two differ. */
export function csvField(text: string | null, delimiter = ','): string {
  if (text === null) return '';
  const needsQuotes = text === '' || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Puts an apostrophe before text that Excel, LibreOffice or Google Sheets would run (OWASP, CSV injection). */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
