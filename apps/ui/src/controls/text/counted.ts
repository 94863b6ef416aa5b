/** A number with its noun: `1 row`, `1,204 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** The first names, and the number of the others: a collection may have thousands of tenants. */
export function firstNames(names: string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${(names.length - most).toLocaleString('en')} more` : shown;
}
