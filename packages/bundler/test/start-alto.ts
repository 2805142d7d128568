import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type DevnetNode, devAccounts } from '@lanyard/devnet'

/** The path of `@pimlico/alto`'s program; undefined if it is not installed. */
export const altoProgram = findAlto()

/**
 * Runs Alto on a local network in its own process: it is GPL-3.0, and importing the package would start it
 * here. The system gives it a port: a free one that is chosen before it starts may be taken by a connection of another
 * test until it listens, and then it ends with 0.
 *
 * @param entryPoint - or several, with commas between them
 */
export async function startAlto(
  node: Pick<DevnetNode, 'rpcUrl'>,
  entryPoint: string,
): Promise<AsyncDisposable & { url: string }> {
  if (!altoProgram) throw new TypeError('@pimlico/alto is not installed')
  const alto = spawn(
    process.execPath,
    [
      altoProgram,
      'run',
      ...['--entrypoints', entryPoint],
      ...['--executor-private-keys', keyOf(8)],
      ...['--utility-private-key', keyOf(9)],
      ...['--rpc-url', node.rpcUrl],
      ...['--port', '0'],
      // The published version's tracer fails on v0.7 and rejects the P-256 precompile.
      ...['--safe-mode', 'false'],
      ...['--deploy-simulations-contract', 'true'],
      ...['--refilling-wallets', 'false'],
      ...['--log-level', 'error'],
      // It logs its port at this level, in lines that an exit does not cut off.
      ...['--rpc-log-level', 'info'],
      '--json',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const end = () => endProcess(alto)
  try {
    return { url: await readUrl(alto), [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

function findAlto(): string | undefined {
  try {
    return fileURLToPath(new URL('cli/alto.js', import.meta.resolve('@pimlico/alto')))
  } catch {
    return undefined
  }
}

/** PUBLIC: anvil's own keys. */
function keyOf(index: number): string {
  const account = devAccounts[index]
  if (!account) throw new TypeError(`There is no dev account ${index}`)
  return account.privateKey
}

/** Milliseconds. It limits only what hangs: Alto deploys contracts first. */
const startTimeout = 240_000

/** Where Alto listens, once it does. */
function readUrl(alto: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new TypeError(`Alto does not listen: ${said}`)), startTimeout)
    for (const output of [alto.stdout, alto.stderr])
      output.on('data', (text) => {
        said = `${said}${text}`.slice(-2_000)
        const port = /Server listening at http:\/\/[^:]+:(\d+)/.exec(said)?.[1]
        if (!port) return
        clearTimeout(timer)
        resolve(`http://127.0.0.1:${port}`)
      })
    // Its output has ended too.
    alto.once('close', (code) => {
      clearTimeout(timer)
      reject(new TypeError(`Alto ended with ${code}: ${said}`))
    })
  })
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
