import { exactJson, type Json } from '@trestle/driver-kit';

/** A body as it is sent. Keeps the sign of -0, and writes the largest integers so that the server accepts them. */
export function bodyText(body: Json): string {
  return exactJson(body, print);
}

function print(number: number): string | undefined {
  if (Object.is(number, -0)) return '-0';
  // The double prints as 9223372036854776000, and the server refuses an integer beyond 64 bits. It stores 2^63-1 as the
  // double 2^63. For a property of type number, both texts mean the same double.
  if (number === 2 ** 63) return '9223372036854775807';
  return number === -(2 ** 63) ? '-9223372036854775808' : undefined;
}
