#!/usr/bin/env node
import { run } from './run.mjs';

// The same variable and flags as in bin/trestle.
process.env.MALLOC_ARENA_MAX = '1';
run('trestle.js', ['--disable-sigusr1', '--max-semi-space-size=2']);
