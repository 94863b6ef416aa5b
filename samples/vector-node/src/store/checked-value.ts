export type CheckedValue = { value: unknown } | { refusal: string };
