#!/usr/bin/env node
import { run } from './run.mjs';

run('trestle.js', ['--disable-sigusr1', '--use-system-ca', '--max-semi-space-size=2']);
