const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** When a token expires, from `30d`, `12h`, a date or a time in ISO form. Null without a text: the token never expires. */
export function expiryOf(text: string | undefined, now = Date.now()): string | null {
  if (text === undefined) return null;
  const span = /^(\d{1,5})([mhd])$/.exec(text);
  // Date.parse takes "45" for the year 2045.
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  const at = span ? now + Number(span[1]) * spans[span[2]!]! : time;
  if (Number.isNaN(at)) {
    throw new Error(`--expires is a time such as 2030-01-31 or a span such as 30d, not "${text}".`);
  }
  if (at <= now) throw new Error(`--expires ${text} is in the past.`);
  return new Date(at).toISOString();
}
