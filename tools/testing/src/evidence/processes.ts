import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { keepText, type TextEvidence } from './evidence.ts'

let isKeeping = false

/** Keeps what each child process of this process prints from now on, and how it ends. May be called for each test file. */
export function keepOutputOfProcesses(): void {
  if (isKeeping) return
  isKeeping = true
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess }
    // Node publishes a process before it has its arguments and streams.
    process.nextTick(() => keepOutput(child))
  })
}

function keepOutput(child: ChildProcess): void {
  const words = [child.spawnfile ?? '', ...(child.spawnargs ?? []).slice(1)].map((word) => basename(word))
  const program =
    words[0] === 'node' ? (words.find((word) => /\.[cm]?[jt]s$/.test(word)) ?? 'node') : words[0]
  const text = keepText(`${program}-${child.pid ?? 'not-started'}.log`)
  for (const stream of [child.stdout, child.stderr]) if (stream) copy(stream, text)
  child.once('error', (error) => text.add(`\n(${error.message})\n`))
  child.once('exit', (code, signal) => {
    text.add(`\n(ended with ${signal ?? code} at ${new Date().toISOString()})\n`)
    text.end()
  })
}

/** A listener would make the stream flow before its reader listens, so the copy is made where chunks arrive. */
function copy(stream: Readable, text: TextEvidence): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk, encoding) => {
    if (chunk !== null) text.add(String(chunk))
    return push(chunk, encoding)
  }
}
