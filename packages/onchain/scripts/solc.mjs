#!/usr/bin/env node
/**
 * Lets forge use solc from npm (solc-js), so that building needs no download except `pnpm install`. forge
 * calls `solc --version` once, and `solc --standard-json` with the input on stdin.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const solc = require('solc')

/** forge sends every source inline; this is called only for files that it omitted. */
function readImport(path) {
  try {
    return { contents: readFileSync(path, 'utf8') }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

if (process.argv.includes('--version')) {
  // forge parses the last line; solc-js says "0.8.30+commit.73712a01.Emscripten.clang".
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`)
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8'), { import: readImport }))
}
