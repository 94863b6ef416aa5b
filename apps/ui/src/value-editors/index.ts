export { ValueField, type ValueFieldProps } from './value-field.tsx';
