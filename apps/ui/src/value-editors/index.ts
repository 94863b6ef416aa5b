export { ValueField } from './value-field.tsx';
export type { ValueFieldProps } from './value-field-props.ts';
