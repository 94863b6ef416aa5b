/** Lets the browser download a file from the app. The app serves the path only once. */
export function download(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
