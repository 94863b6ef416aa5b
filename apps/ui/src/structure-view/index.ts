export { StructureView } from './structure-view.tsx';
