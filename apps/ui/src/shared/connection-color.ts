/** Colours a connection can have; stored by name, so that each theme has its own shade. */
export const connectionColors = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;

/** A connection's colour as CSS; without one, a neutral. */
export function connectionColor(color: string | null): string {
  if (color && (connectionColors as readonly string[]).includes(color)) return `var(--conn-${color}-mark)`;
  return color && /^#[0-9a-f]{6}$/i.test(color) ? color : 'var(--conn-none-mark)';
}
