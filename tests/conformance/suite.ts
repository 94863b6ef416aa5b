import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ScenarioResult {
  scenario: string;
  passed: number;
  failed: string[];
  warned: string[];
}

/** The path of the suite's command: the path in TRESTLE_CONFORMANCE, or the installed command. */
export function suiteCommand(): string {
  const named = process.env.TRESTLE_CONFORMANCE;
  if (named) return named;
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  return join(dirname(manifest), 'dist', 'index.js');
}

/** Runs one set of scenarios of the official suite against a server, and reads the results. */
export async function runSuite(url: string, set: string[]): Promise<ScenarioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = [suiteCommand(), 'server', '--url', url, '-o', folder, ...set];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'exit');
    const results = readResults(folder);
    if (results.length === 0) throw new Error(`The suite ran nothing:\n${output}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

function readResults(folder: string): ScenarioResult[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('checks.json'))
    .map((path) => {
      const checks = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Check[];
      const say = ({ id, errorMessage }: Check) => `${id}: ${errorMessage ?? 'no reason given'}`;
      return {
        scenario: scenarioName(dirname(path)),
        passed: checks.filter((check) => check.status === 'SUCCESS').length,
        failed: checks.filter((check) => check.status === 'FAILURE').map(say),
        warned: checks.filter((check) => check.status === 'WARNING').map(say),
      };
    })
    .sort((a, b) => a.scenario.localeCompare(b.scenario));
}

/** The suite names its folders `server-<scenario>-<time>`. */
function scenarioName(folder: string): string {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
}
