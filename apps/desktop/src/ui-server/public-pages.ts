/** For a browser that did not come in by a link of the app. It tells nothing about the app's state. */
export const lockedPage = page(
  'Open Trestle from its launcher',
  `<p>This page opens only through a fresh link, and a link works once. Start Trestle again, or run
<code>trestle</code> in a terminal: it opens a window, or prints a new link where there is no display.</p>`,
);

/** What a new window shows for the moment until the app sends it on. */
export const waitingPage = page('Opening Trestle …', '');

function page(heading: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trestle</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
code { font-family: ui-monospace, monospace; }
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`;
}
