#!/usr/bin/env node
import { run } from './run.mjs';

run('trestle-mcp.cjs', ['--disable-sigusr1']);
