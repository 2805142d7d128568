/**
 * Preloaded by `startServiceProcess` if CRASH_AT is set: ends the process like `kill -9`, so that tests see the state
 * after a crash. CRASH_AT names a checkpoint (`submit:signed`), or a write or request counted from when the service is
 * ready: `write:7:before` ends it before the seventh statement that writes is sent, `call:7:after` after the complete
 * response to the seventh request to a node, bundler or signer. `count` prints each of them as it occurs.
 */
import { subscribe, tracingChannel } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import process from 'node:process'

const wanted = process.env.CRASH_AT
let isReady = false
const counts = { write: 0, call: 0 }

/**
 * Statements that do not write. Any other statement counts as a write: one too many only costs a
 * test run, but one too few leaves a crash point untested.
 */
const reading = /^\s*(?:select|begin|start|rollback|savepoint|release|set|show)\b/i

/** Nothing else may run until the signal has arrived. */
function dieAtOnce(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** Counts one of a kind before it begins, and returns a function to call after it. */
function enter(kind: keyof typeof counts, what: string): () => void {
  const point = `${kind}:${++counts[kind]}`
  if (wanted === 'count') process.stdout.write(`crash point ${point} ${what.replaceAll(/\s+/g, ' ')}\n`)
  if (wanted === `${point}:before`) dieAtOnce()
  return () => {
    if (wanted === `${point}:after`) dieAtOnce()
  }
}

subscribe('lanyard:checkpoint', (name) => {
  if (name === 'ready') isReady = true
  else if (name === wanted) dieAtOnce()
})

const statements = new WeakMap<object, () => void>()
tracingChannel('lanyard:statement').subscribe({
  start(statement) {
    const { sql } = statement as { sql: string } // published by packages/database
    if (isReady && !reading.test(sql)) statements.set(statement as object, enter('write', sql))
  },
  end() {},
  asyncStart(statement) {
    if (!('error' in (statement as object))) statements.get(statement as object)?.()
  },
  asyncEnd() {},
  error() {},
})

// Node's own channels of node:http and, below, of fetch.
subscribe('http.client.request.start', (message) => {
  if (!isReady) return
  const { request } = message as { request: ClientRequest } // as documented by Node
  const after = enter('call', `${request.method} ${request.path}`)
  request.once('response', (response) => response.once('end', after))
})
const fetches = new WeakMap<object, () => void>()
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string } } // as documented by undici
  if (isReady) fetches.set(request, enter('call', request.method))
})
subscribe('undici:request:trailers', (message) => fetches.get((message as { request: object }).request)?.())
