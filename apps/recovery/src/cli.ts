/** Moves everything out of an account without the service, using only the chains. See README.md. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Address, getAddress, isAddress } from 'viem'
import { connectToAny } from './connect.ts'
import { type KitNetwork, type RecoveryKit, readRecoveryKit } from './kit/recovery-kit.ts'
import type { FileNetwork } from './networks-file.ts'
import { keyPayer } from './payer/payer.ts'
import { describeMoves, moveOut, previewMoves, type Way } from './recover-network.ts'
import { describeError, RecoveryError } from './recovery-error.ts'
import { accountOfSecret, type SecretAccount } from './signers/account-of-secret.ts'
import { eoaSigner } from './signers/eoa.ts'

const usage = `Moves everything that an account holds to an address of yours, using only its recovery kit.

Usage: OWNER_KEY=0x… [PAYER_KEY=0x…] node src/cli.ts <recovery kit> --to 0x… [options]

  --to <address>              the destination
  --rpc <network>=<URL>       an RPC of a network for which the kit has none; may be repeated
  --networks <file>           RPCs and networks that the kit does not contain, in the format of NETWORKS_FILE
  --token <network>=<address> a token that the kit does not contain; may be repeated
  --way transaction           PAYER_KEY pays and sends (default)
  --way entry-point           the account pays; PAYER_KEY sends and gets the fee
  --bundler <network>=<URL>   the account pays; this bundler sends
  --dry-run                   only shows what can be moved

OWNER_KEY is the key of an owner. PAYER_KEY is the key that pays for gas; by default, it is OWNER_KEY.
`

async function main(): Promise<void> {
  const { values, positionals } = parse()
  const [file] = positionals
  if (!file || !values.to) throw new RecoveryError('USAGE', usage)
  const kit = readRecoveryKit(await readFile(file, 'utf8'))
  const owner = readKey('OWNER_KEY')
  const payer = process.env.PAYER_KEY ? readKey('PAYER_KEY') : owner
  const to = readAddress('--to', values.to)
  console.log(`Account ${kit.account}`)
  const configured = values.networks ? await readConfigured(values.networks) : []
  for (const network of withConfigured(kit.networks, configured)) {
    try {
      const said = await recover(network, {
        kit,
        owner,
        payer,
        to,
        rpcUrls: [
          ...(pairs('--rpc', values.rpc).get(network.chainId) ?? []),
          ...(network.rpcUrl ? [network.rpcUrl] : []),
          ...(configured.find(({ chainId }) => chainId === network.chainId)?.rpcUrls ?? []),
        ],
        bundlerUrl: pairs('--bundler', values.bundler).get(network.chainId)?.[0],
        tokens: pairs('--token', values.token).get(network.chainId) ?? [],
        way: values.way,
        dryRun: values['dry-run'],
      })
      for (const line of said) console.log(`${network.chainId} ${network.name}: ${line}`)
    } catch (error) {
      if (error instanceof RecoveryError && error.code === 'USAGE') throw error
      // The other networks do not depend on this one.
      console.error(`${network.chainId} ${network.name}: ${describeError(error)}`)
      process.exitCode = 1
    }
  }
}

interface Parameters {
  readonly kit: RecoveryKit
  readonly owner: SecretAccount
  readonly payer: SecretAccount
  readonly to: Address
  readonly rpcUrls: readonly string[]
  readonly bundlerUrl: string | undefined
  readonly tokens: readonly string[]
  readonly way: string
  readonly dryRun: boolean
}

/** @returns a description of what was done */
async function recover(network: KitNetwork, parameters: Parameters): Promise<readonly string[]> {
  const { kit, owner, to, rpcUrls, bundlerUrl, dryRun } = parameters
  if (rpcUrls.length === 0) throw new RecoveryError('USAGE', `Add an RPC: --rpc ${network.chainId}=https://…`)
  const connection = await connectToAny(network, rpcUrls)
  const payer = keyPayer(connection, parameters.payer)
  const kind = bundlerUrl ? 'bundler' : readWay(parameters.way)
  const way: Way = kind === 'bundler' ? { kind, url: bundlerUrl ?? '' } : { kind, payer }
  const tokens = [...network.tokens, ...parameters.tokens.map((token) => readAddress('--token', token))]

  const preview = await previewMoves({ connection, kit, network: { ...network, tokens }, to, way: way.kind })
  const rest = [...preview.impossible, ...(preview.waiting ? [preview.waiting] : [])]
  if (dryRun) return [...preview.possible.map(({ what }) => `can be moved: ${what}`), ...rest]
  const hash = await moveOut(preview, eoaSigner(owner), way)
  const done = hash ? [...describeMoves(preview.possible), `in ${hash}`] : ['there is nothing to move now']
  return [...done, ...rest]
}

/** Imported lazily: the schema of the service's file takes longer to load than everything else. */
const readConfigured = async (path: string) =>
  (await import('./networks-file.ts')).readNetworks(path, (name) => process.env[name])

/**
 * The kit's networks, with a missing SmartBalance address taken from the file, followed by the file's other
 * networks.
 */
function withConfigured(
  ofKit: readonly KitNetwork[],
  configured: readonly FileNetwork[],
): readonly KitNetwork[] {
  const named = new Set(ofKit.map(({ chainId }) => chainId))
  return [
    ...ofKit.map((network) => {
      const { smartBalance } = configured.find(({ chainId }) => chainId === network.chainId) ?? {}
      return { ...(smartBalance && { smartBalance }), ...network }
    }),
    ...configured.filter(({ chainId }) => !named.has(chainId)),
  ]
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        networks: { type: 'string' },
        rpc: { type: 'string', multiple: true, default: [] },
        token: { type: 'string', multiple: true, default: [] },
        bundler: { type: 'string', multiple: true, default: [] },
        way: { type: 'string', default: 'transaction' },
        'dry-run': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new RecoveryError('USAGE', `${describeError(error)}\n\n${usage}`)
  }
}

function readWay(text: string): 'transaction' | 'entry-point' {
  if (text === 'transaction' || text === 'entry-point') return text
  throw new RecoveryError('USAGE', `--way must be transaction or entry-point, not ${text}.`)
}

/** Parses values of the form `31337=value`, by network. */
function pairs(option: string, texts: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const text of texts) {
    const [, chainId, value] = /^(\d+)=(.+)$/.exec(text) ?? []
    if (!chainId || !value)
      throw new RecoveryError('USAGE', `${option} takes <network>=<value>, not ${text}.`)
    found.set(Number(chainId), [...(found.get(Number(chainId)) ?? []), value])
  }
  return found
}

function readAddress(option: string, text: string): Address {
  if (isAddress(text)) return getAddress(text)
  throw new RecoveryError(
    'USAGE',
    `${option} takes an address. ${text} is not one, or its checksum is wrong.`,
  )
}

/** @throws RecoveryError USAGE, without repeating the key */
function readKey(name: 'OWNER_KEY' | 'PAYER_KEY'): SecretAccount {
  const account = accountOfSecret(process.env[name] ?? '')
  if (account) return account
  throw new RecoveryError(
    'USAGE',
    `${name} must be a private key, 0x and 64 hex digits, or the twelve words of a recovery key.\n\n${usage}`,
  )
}

await main().catch((error: unknown) => {
  console.error(describeError(error))
  process.exitCode = error instanceof RecoveryError && error.code === 'USAGE' ? 2 : 1
})
