import type { ConnectGuide } from '../shared/api-types.ts';

/** The guide with the token's secret in its configuration. The guide is the newest: the server may change its port. */
export function withToken(guide: ConnectGuide, secret: string): ConnectGuide {
  const steps = guide.steps.map(({ text, snippet }) => ({
    text,
    ...(snippet && { snippet: { ...snippet, text: snippet.text.replace('<token>', secret) } }),
  }));
  return { ...guide, steps };
}
