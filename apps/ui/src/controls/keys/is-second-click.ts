/**
 * Whether this is the second click of a double click, or a later click. After the first click, a different button may
 * be under the pointer. The user did not mean that button.
 */
export function isSecondClick({ detail }: Pick<MouseEvent, 'detail'>): boolean {
  return detail > 1;
}
