export { ValueField } from './value-field.tsx';
