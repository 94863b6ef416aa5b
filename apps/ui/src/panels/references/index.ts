export { ReferencePicker } from './reference-picker.tsx';
export { elementsOf, type ReferenceColumn, referenceNames, type Targets } from './targets.ts';
export { targetsQuery } from './use-targets.ts';
