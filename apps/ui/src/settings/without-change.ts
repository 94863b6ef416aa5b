/** The settings without a change that the app did not store. Changes of other settings made meanwhile stay. */
export function withoutChange<Settings extends object>(
  now: Settings,
  before: Settings,
  refused: Partial<Settings>,
): Settings {
  const names = Object.keys(refused) as (keyof Settings)[];
  return { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}
