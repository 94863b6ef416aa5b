/** The colours that the window offers. The window would not show a colour with another name. */
const names = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'];

export const colorForms = `${names.join(', ')}, or #rrggbb`;

export function isConnectionColor(text: string): boolean {
  return names.includes(text) || /^#[0-9a-f]{6}$/i.test(text);
}
