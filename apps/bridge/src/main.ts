import { existsSync } from 'node:fs';
import { dataDirectory, packagedVersion } from '@trestle/handshake';
import pkg from '../package.json' with { type: 'json' };
import { AppLink } from './app-link.ts';
import { Bridge } from './bridge.ts';
import { doctorText, examine } from './doctor.ts';
import { launchApp, launcher } from './launch.ts';
import { Lines } from './lines.ts';
import { Upstream } from './upstream.ts';

const help = () => `trestle-mcp ${version()}

Connects an AI client to the databases saved in Trestle: MCP over stdin and stdout.
In the client's configuration, the command is usually the absolute path of trestle-mcp, without arguments.

  --doctor   check whether clients can reach Trestle, and say what to do if they cannot (--json for programs)
  --version  print the version
  --help     print this help
`;

/** Identifies this bridge to the app. A pid alone may be reused. */
const processName = `${process.pid}-${Math.round(performance.timeOrigin).toString(36)}`;

const [option, second] = process.argv.slice(2);
if (option === undefined) serve();
else if (option === '--doctor') void diagnose(second === '--json');
else if (option === '--version') process.stdout.write(`${version()}\n`);
else if (option === '--help' || option === '-h') process.stdout.write(help());
else {
  process.stderr.write(`trestle-mcp: unknown option ${option}\n\n${help()}`);
  process.exitCode = 2;
}

function version(): string {
  return packagedVersion(import.meta.dirname) ?? pkg.version;
}

async function diagnose(asJson: boolean): Promise<void> {
  const canStart = existsSync(launcher(import.meta.dirname, process.platform).file);
  const checks = await examine(dataDirectory(), processName, { canStart });
  const ok = !checks.some((check) => check.ok === false);
  process.stdout.write(asJson ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : doctorText(checks));
  process.exitCode = ok ? 0 : 1;
}

function serve(): void {
  const report = (line: string) => process.stderr.write(`trestle-mcp: ${line}\n`);
  const app = new AppLink({ home: dataDirectory(), launch: () => launchApp(import.meta.dirname) });
  const bridge = new Bridge({
    upstream: new Upstream(app, processName),
    write: (json) => process.stdout.write(`${json}\n`),
    report,
  });
  const lines = new Lines(
    (line) => bridge.receiveLine(line),
    () => bridge.lineTooLong(),
  );
  // The client is gone, so nobody would read further output.
  process.stdout.on('error', () => process.exit(0));
  process.stderr.on('error', () => {});
  process.stdin.setEncoding('utf8').on('data', (chunk) => lines.push(String(chunk)));
  const end = () => {
    bridge.close();
    app.close();
    process.exit(0);
  };
  process.stdin.once('end', end).once('error', end);
}
