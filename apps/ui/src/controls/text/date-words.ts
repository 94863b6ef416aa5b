const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day as the grid shows it, in the window's time zone: "16 Jul 1969". */
export function dayWords(at: Date): string {
  return `${at.getDate()} ${monthWord(at.getMonth())} ${at.getFullYear()}`;
}

/** The time of day: "14:32". */
export function clockWords(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Day and time: "16 Jul 1969, 14:32". */
export function momentWords(at: Date): string {
  return `${dayWords(at)}, ${clockWords(at)}`;
}

/** Day and time with seconds, for a list in which many entries share a minute. */
export function exactWords(at: Date): string {
  return `${momentWords(at)}:${two(at.getSeconds())}`;
}

/** Undefined for a number that is no month. */
export function monthWord(index: number): string | undefined {
  return months[index];
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
