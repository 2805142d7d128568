import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** Milliseconds until the service has to be ready: three networks and a database start with it. */
const startTimeout = 120_000

/**
 * Whether a Lanyard service answers at a URL, and whether it takes passkeys of a page.
 *
 * @param {string} url
 * @param {string} origin of the page, such as `http://localhost:5173`
 * @returns {Promise<'takes-passkeys' | 'other-pages' | 'absent'>} `other-pages`: ORIGINS of the service does not list the page
 */
export async function findService(url, origin) {
  try {
    const response = await fetch(`${url}/health`, { headers: { origin }, signal: AbortSignal.timeout(5_000) })
    const { status, checks } = await response.json()
    if (!status || !checks) return 'absent'
    return response.headers.get('access-control-allow-origin') === origin ? 'takes-passkeys' : 'other-pages'
  } catch {
    return 'absent'
  }
}

/**
 * @param {number} port
 * @returns {Promise<number | undefined>} the port if it is free. 0 stands for any free one
 */
export const freePort = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    // Without a host: taken on one of this machine's addresses is taken.
    server.listen(port, () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : undefined))
    })
  })

/**
 * Starts @lanyard/service with three local networks.
 *
 * @param {object} [options]
 * @param {string} [options.origin] the page whose passkeys it takes
 * @param {number} [options.port] default: a free one
 * @param {string} [options.folder] keeps accounts and networks. Default: memory
 * @param {(text: string) => void} [options.print] gets what it prints
 * @returns {Promise<{ url: string, rpcUrl: string, stop: () => Promise<void>, ended: Promise<void> }>} `rpcUrl`: of the first network
 */
export async function startService({ origin, port, folder, print = () => {} } = {}) {
  const chosen = port ?? (await freePort(0))
  const url = `http://localhost:${chosen}`
  const manifest = createRequire(import.meta.url).resolve('@lanyard/service/package.json')
  const child = spawn(process.execPath, [join(dirname(manifest), 'dist/lanyard.js'), 'start'], {
    env: {
      ...process.env,
      // Those of the program that starts it, such as vitest.
      NODE_ENV: 'development',
      PORT: String(chosen),
      ORIGINS: origin ? `${url},${origin}` : url,
      ...(folder && { DATA_DIR: folder }),
    },
    // By the channel it notices the end of this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  let output = ''
  /** @type {string} */
  const rpcUrl = await new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`The local service did not start.\n${output}`))
    const timer = setTimeout(() => void stop().then(fail), startTimeout)
    const hear = (/** @type {Buffer} */ chunk) => {
      output += chunk
      print(String(chunk))
      const network = /31337\s.*?(http:\/\/\S+)/.exec(output)?.[1]
      if (!network || !output.includes('is ready')) return
      clearTimeout(timer)
      resolve(network)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void ended.then(() => {
      clearTimeout(timer)
      fail()
    })
  })
  return { url, rpcUrl, stop, ended }
}
