/**
 * Whether this is the second click of a double click, or a later one. After the first click, another button or another question may be
 * at the same place: the user did not mean that one.
 */
export function isSecondClick({ detail }: Pick<MouseEvent, 'detail'>): boolean {
  return detail > 1;
}
