export { type ExportChoice, ExportDialog, type ExportOffer, type RowsChoice } from './export-dialog.tsx';
export { ExportStrip } from './export-strip.tsx';
export { type Export, useExport } from './use-export.ts';
