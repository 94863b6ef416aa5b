export const themes = [
  { value: 'system' as const, label: 'As the system' },
  { value: 'light' as const, label: 'Light' },
  { value: 'dark' as const, label: 'Dark' },
];

export const densities = [
  { value: 'compact' as const, label: 'Compact' },
  { value: 'normal' as const, label: 'Normal' },
  { value: 'comfortable' as const, label: 'Comfortable' },
];
