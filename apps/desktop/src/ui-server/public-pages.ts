/** Shown in a new window until the app opens its one-time link there. */
export const waitingPage = page('Opening Trestle …');

/** Sends a browser to a link. The link is not an argument of the browser, because other users can read arguments. */
export function leadingPage(link: string): string {
  return page('Opening Trestle …', `<meta http-equiv="refresh" content="0; url=${link}">\n`);
}

function page(heading: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trestle</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
</main>
</body>
</html>
`;
}
