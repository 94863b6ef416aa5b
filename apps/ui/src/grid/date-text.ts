const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const plain = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/i;

/**
 * A date in the window's time zone, short: "16 Jul 1969, 14:32". A plain date is the same day in every zone,
 * so it is not converted. Null for any other text, which is then shown unchanged.
 */
export function localDate(text: string): string | null {
  if (plain.test(text)) {
    const [year, month, day] = text.split('-').map(Number);
    const name = months[month! - 1];
    return name ? `${day} ${name} ${year}` : null;
  }
  if (!moment.test(text)) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return null;
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
