/** Texts as sentences of one paragraph. Some messages of errors end with a full stop, most do not. */
export function sentences(...texts: (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined && text !== '')
    .map((text) => (/[.!?]$/.test(text!) ? text : `${text}.`))
    .join(' ');
}
