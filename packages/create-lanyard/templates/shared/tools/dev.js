/*
 * `npm run dev`: starts the page, and a local service if none answers that takes passkeys of the page.
 * `LANYARD_URL=https://… npm run dev` uses that service.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { findService, freePort, startService } from './service.js'

const usual = 'http://localhost:3000'
const [program, ...parameters] = process.argv.slice(2)
// The last one wins, as for the programs: `npm run dev -- --port 5180`.
const port = Number(parameters[parameters.lastIndexOf('--port') + 1])
const origin = `http://localhost:${port}`

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}

/** A database in a folder needs a later Node. Without one, accounts end with the service. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const keeps = major > 22 || (major === 22 && minor >= 13)

/** @returns {Promise<{ url: string, stop?: () => Promise<void> }>} */
async function findOrStart() {
  const wanted = process.env.LANYARD_URL
  const found = await findService(wanted ?? usual, origin)
  if (found === 'takes-passkeys') return { url: wanted ?? usual }
  if (wanted)
    fail(
      found === 'absent'
        ? `No Lanyard service answers at ${wanted}.`
        : `The service at ${wanted} does not take passkeys of ${origin}. Its operator adds ${origin} to ORIGINS.`,
    )
  if (found === 'other-pages')
    console.log(`The service at ${usual} does not list ${origin} in ORIGINS, so another one starts.`)
  console.log(
    keeps ? 'Accounts are kept in .lanyard.' : 'Accounts end with the service (Node 22.13 keeps them).',
  )
  return startService({
    origin,
    ...((await freePort(3000)) && { port: 3000 }),
    ...(keeps && { folder: '.lanyard' }),
    print: (text) => process.stdout.write(text),
  })
}

if (!program || !port) fail('Usage: node tools/dev.js PROGRAM … --port PORT')
if (!(await freePort(port)))
  fail(`Port ${port} is taken. End the program that has it, or choose another port in package.json.`)

const service = await findOrStart().catch((error) => fail(error.message))
const page = spawn(process.execPath, [program, ...parameters], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    VITE_LANYARD_URL: service.url,
    NEXT_PUBLIC_LANYARD_URL: service.url,
  },
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => page.kill(signal))
page.once('exit', async (code) => {
  await service.stop?.()
  process.exit(code ?? 0)
})
