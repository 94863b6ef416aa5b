/** Reverts a change that the app did not store. Later changes of other settings stay. */
export function withoutChange<Settings extends object>(
  now: Settings,
  before: Settings,
  refused: Partial<Settings>,
): Settings {
  const names = Object.keys(refused) as (keyof Settings)[];
  return { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}
