/**
 * The supervisor: a small process between the one that uses a devnet and its anvils. It has an IPC channel to
 * its parent. The kernel closes that channel when the parent ends for any reason, including SIGKILL, and the
 * supervisor then stops the anvils. It runs in its own process group, so that Ctrl-C in a terminal reaches
 * only the service, which can drain before its chains stop.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FromSupervisor, ToSupervisor } from './supervisor-messages.ts'

/** How long an anvil may take to write its state after SIGTERM. */
const GRACE_MS = 3_000
/** Lines of an anvil's output that are kept to explain its exit. */
const LOG_LINES = 15

/**
 * Folder for the anvils' old states. The default is in the home directory, where they would remain after
 * exit.
 */
const cachePath = mkdtempSync(join(tmpdir(), 'lanyard-anvil-'))

const anvils = new Map<number, ChildProcess>()

process.on('message', (message) => {
  // The only sender is supervised-anvils.ts, in the same version.
  const request = message as ToSupervisor
  if (request.type === 'spawn') start(request.id, request.binary, request.args)
  else if (request.type === 'kill') anvils.get(request.id)?.kill('SIGTERM')
  else void stopAll()
})
process.on('disconnect', () => void stopAll())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll())

function start(id: number, binary: string, args: readonly string[]): void {
  const anvil = spawn(binary, ['--cache-path', cachePath, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  anvils.set(id, anvil)
  const log: string[] = []
  let listening = false

  const keep = (line: string) => {
    if (line.trim() === '') return
    log.push(line)
    if (log.length > LOG_LINES) log.shift()
  }
  createInterface({ input: anvil.stderr }).on('line', keep)
  createInterface({ input: anvil.stdout }).on('line', (line) => {
    keep(line)
    const port = listening ? undefined : /^Listening on .*:(\d+)$/.exec(line)?.[1]
    if (port === undefined) return
    listening = true
    send({ type: 'listening', id, port: Number(port), pid: anvil.pid ?? 0 })
  })
  const ended = (reason: string) => {
    if (anvils.delete(id)) send({ type: 'exit', id, reason, log })
  }
  anvil.on('error', (error) => ended(error.message))
  // 'close' rather than 'exit': by then all output has been read.
  anvil.on('close', (code, signal) => ended(signal ? `signal ${signal}` : `exit code ${code}`))
}

async function stopAll(): Promise<void> {
  const all = [...anvils.values()]
  const gone = all.map((anvil) => new Promise((resolve) => anvil.once('close', resolve)))
  for (const anvil of all) anvil.kill('SIGTERM')
  const timer = setTimeout(() => {
    for (const anvil of all) anvil.kill('SIGKILL')
  }, GRACE_MS)
  await Promise.all(gone)
  clearTimeout(timer)
  rmSync(cachePath, { recursive: true, force: true })
  process.exit(0)
}

function send(message: FromSupervisor): void {
  if (process.connected) process.send?.(message)
}
