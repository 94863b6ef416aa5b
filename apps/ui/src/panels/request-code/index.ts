export { CodeDialog } from './code-dialog.tsx';
export { RequestCodeDialog } from './request-code-dialog.tsx';
