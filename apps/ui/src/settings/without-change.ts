/** The settings after the app refused a change. A change of another setting that was made meanwhile stays. */
export function withoutChange<Settings extends object>(
  now: Settings,
  before: Settings,
  refused: Partial<Settings>,
): Settings {
  const names = Object.keys(refused) as (keyof Settings)[];
  return { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}
