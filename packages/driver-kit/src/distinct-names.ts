/** Two columns of a result may have the same name. The second is then `name (2)`, so an object keeps both values. */
export function distinctNames(names: readonly string[]): string[] {
  const distinct = new Set<string>();
  for (const name of names) {
    let unused = name;
    for (let copy = 2; distinct.has(unused); copy++) unused = `${name} (${copy})`;
    distinct.add(unused);
  }
  return [...distinct];
}
