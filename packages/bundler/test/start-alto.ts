import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type DevnetNode, devAccounts } from '@lanyard/devnet'
import { createClient, http } from 'viem'
import { getSupportedEntryPoints } from 'viem/account-abstraction'

/** The path of `@pimlico/alto`'s program; undefined if it is not installed. */
export const altoProgram = findAlto()

/**
 * Runs Alto on a local network in its own process: it is GPL-3.0, and importing the package would start it
 * here.
 *
 * @param entryPoint - or several, with commas between them
 */
export async function startAlto(
  node: Pick<DevnetNode, 'rpcUrl'>,
  entryPoint: string,
): Promise<AsyncDisposable & { url: string }> {
  if (!altoProgram) throw new TypeError('@pimlico/alto is not installed')
  const port = await freePort()
  const alto = spawn(
    process.execPath,
    [
      altoProgram,
      'run',
      ...['--entrypoints', entryPoint],
      ...['--executor-private-keys', keyOf(8)],
      ...['--utility-private-key', keyOf(9)],
      ...['--rpc-url', node.rpcUrl],
      ...['--port', `${port}`],
      // The published version's tracer fails on v0.7 and rejects the P-256 precompile.
      ...['--safe-mode', 'false'],
      ...['--deploy-simulations-contract', 'true'],
      ...['--refilling-wallets', 'false'],
      ...['--log-level', 'error'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const output of [alto.stdout, alto.stderr])
    output.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000)
    })
  const url = `http://127.0.0.1:${port}`
  const end = () => endProcess(alto)
  try {
    await untilReady(url, alto, () => said)
  } catch (error) {
    await end()
    throw error
  }
  return { url, [Symbol.asyncDispose]: end }
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

/**
 * A port that nobody listens on. Alto takes seconds to listen on it, and meanwhile a connection of any other test could
 * take one of those that the system gives to connections (from 32,768 on), so it is below these.
 */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = randomInt(20_000, 32_000)
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function untilReady(url: string, alto: ChildProcess, said: () => string): Promise<void> {
  const client = createClient({ transport: http(url, { retryCount: 0, timeout: 5_000 }) })
  for (let attempt = 0; attempt < 600; attempt++) {
    if (alto.exitCode !== null) throw new TypeError(`Alto ended with ${alto.exitCode}: ${said()}`)
    const ready = await getSupportedEntryPoints(client).then(
      () => true,
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
  throw new TypeError('Alto does not answer')
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
