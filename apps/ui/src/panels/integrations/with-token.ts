import type { ConnectGuide } from '../../data/api/api-types.ts';

/**
 * Puts the token's secret into the guide's configuration. `guide` must be the current one: the server may have changed
 * its port since the token was made.
 */
export function withToken(guide: ConnectGuide, secret: string): ConnectGuide {
  const steps = guide.steps.map(({ text, snippet }) => ({
    text,
    ...(snippet && { snippet: { ...snippet, text: snippet.text.replace('<token>', secret) } }),
  }));
  return { ...guide, steps };
}
