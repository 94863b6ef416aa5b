import type { CSSProperties } from 'react';

/** The colours that the user can choose. They are stored by name, so that each theme has its own shade. */
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

/** A connection's colour as CSS. A connection without a colour gets a neutral one. */
export function connectionColor(color: string | null): string {
  const name = namedColor(color);
  if (name) return `var(--conn-${name}-mark)`;
  return ownColor(color) ?? 'var(--conn-none-mark)';
}

/** The CSS variables for background, text and marks in a connection's colour. */
export function connectionTint(color: string | null): CSSProperties {
  const own = ownColor(color);
  if (own) {
    return {
      '--connection-tint': `color-mix(in srgb, ${own} 14%, var(--bg-surface))`,
      '--connection-ink': `color-mix(in srgb, ${own} 45%, var(--text))`,
      '--connection-mark': own,
    };
  }
  const name = namedColor(color) ?? 'none';
  return {
    '--connection-tint': `var(--conn-${name}-tint)`,
    '--connection-ink': `var(--conn-${name}-ink)`,
    '--connection-mark': `var(--conn-${name}-mark)`,
  };
}

function namedColor(color: string | null): string | undefined {
  return connectionColors.find((name) => name === color);
}

/** A colour as `#rrggbb`. The form offers no such colour, but the command line can set one. */
function ownColor(color: string | null): string | undefined {
  return color && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined;
}
