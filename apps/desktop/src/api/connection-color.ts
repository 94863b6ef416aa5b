/** The names that the window offers. A name outside this list would be stored and never shown. */
const names = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'];

export const colorForms = `${names.join(', ')}, or #rrggbb`;

export function isConnectionColor(text: string): boolean {
  return names.includes(text) || /^#[0-9a-f]{6}$/i.test(text);
}
