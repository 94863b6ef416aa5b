/** An RFC 3339 time in nanoseconds since 1970. Null if the text is invalid. */
export function instantOf(text: string): bigint | null {
  const parts = rfc3339.exec(text);
  if (!parts) return null;
  const [, day = '', time = '', fraction = '', sign, hours = '0', minutes = '0'] = parts;
  const whole = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(whole) || !isRealDay(day)) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return BigInt(whole - offset) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Date.parse reads 30 February as a day in March. */
function isRealDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}
