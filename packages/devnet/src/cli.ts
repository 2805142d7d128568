#!/usr/bin/env node
/** Runs the local networks in the foreground, so that they outlive the service: `node src/cli.ts --help`. */
import { parseArgs } from 'node:util'
import { devAccounts } from './dev-accounts.ts'
import { DevnetError } from './errors.ts'
import { writeNetworksFile } from './networks-file.ts'
import { type Hardfork, hardforks, type StartDevnetOptions, startDevnet } from './start-devnet.ts'

const help = `Runs three local networks (chain ids 31337, 31338, 31339) until it is interrupted.

Usage: lanyard-devnet [options]

  --port <port>           first of three consecutive ports (default 8545); a port
                          that is taken is replaced by a free one
  --data-dir <path>       keep the chains there; without it they are in memory
  --block-time <seconds>  time between blocks (default 1)
  --hardfork <name>       ${hardforks.join(', ')}
  --networks-file <path>  write a networks file for the service (NETWORKS_FILE)
  --help                  show this text
`

try {
  const { values } = parseArguments()
  if (values.help) process.stdout.write(help)
  else await run(toOptions(values), values['networks-file'])
} catch (error) {
  const isKnown = error instanceof DevnetError
  process.stderr.write(`${isKnown ? error.message : String(error)}\n`)
  process.exitCode = isKnown && error.code === 'USAGE' ? 2 : 1
}

function parseArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8545' },
        'data-dir': { type: 'string' },
        'block-time': { type: 'string', default: '1' },
        hardfork: { type: 'string' },
        'networks-file': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new DevnetError('USAGE', `${error instanceof Error ? error.message : error}\nTry --help.`)
  }
}

function toOptions(values: ReturnType<typeof parseArguments>['values']): StartDevnetOptions {
  return {
    port: integer('--port', values.port, 1, 65_533),
    blockTime: integer('--block-time', values['block-time'], 1, 3_600),
    ...(values['data-dir'] === undefined ? {} : { dataDir: values['data-dir'] }),
    ...(values.hardfork === undefined ? {} : { hardfork: hardfork(values.hardfork) }),
  }
}

function integer(option: string, text: string, least: number, limit: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= limit) return value
  throw new DevnetError('USAGE', `${option} must be a whole number from ${least} to ${limit}, not "${text}"`)
}

function hardfork(text: string): Hardfork {
  const known = hardforks.find((name) => name === text)
  if (known) return known
  throw new DevnetError('USAGE', `--hardfork must be one of ${hardforks.join(', ')}, not "${text}"`)
}

async function run(options: StartDevnetOptions, networksFile: string | undefined): Promise<void> {
  const interrupted = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.resolve())

  await using devnet = await startDevnet({
    ...options,
    onExit: ({ chainId, reason, log }) => {
      const message = `The network ${chainId} ended: ${reason}\n${log.join('\n')}`
      interrupted.reject(new DevnetError('ANVIL_FAILED', message))
    },
  })
  for (const { name, chainId, rpcUrl, takenPort } of devnet.networks) {
    const note = takenPort === undefined ? '' : ` (port ${takenPort} is taken)`
    process.stdout.write(`${name}  chain ${chainId}  ${rpcUrl}${note}\n`)
  }
  if (networksFile !== undefined) {
    await writeNetworksFile(networksFile, devnet.networks)
    process.stdout.write(`Networks file: ${networksFile}\n`)
  }
  const [funded] = devAccounts
  process.stdout.write(`Funded account (PUBLIC key): ${funded?.address} ${funded?.privateKey}\nReady\n`)
  await interrupted.promise
}
