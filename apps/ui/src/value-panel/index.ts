export { type PanelValue, ValuePanel } from './value-panel.tsx';
