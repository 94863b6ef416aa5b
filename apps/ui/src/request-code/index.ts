export { RequestCodeDialog } from './request-code-dialog.tsx';
