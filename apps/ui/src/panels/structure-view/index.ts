export { StructureView } from './on-demand.tsx';
