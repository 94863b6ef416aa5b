const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A short count: 1,204 in full, 88204 as 88.2K. */
export function shortCount(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : compact.format(count);
}
