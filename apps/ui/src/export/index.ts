export { type ExportChoice, ExportDialog } from './export-dialog.tsx';
export { ExportStrip } from './export-strip.tsx';
export { useExport } from './use-export.ts';
