import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createPublicClient, createTestClient } from 'viem'
import { DevnetError } from './errors.ts'
import { genesisState } from './genesis-state.ts'
import { localTransport } from './local-transport.ts'
import { type DevnetNetwork, defaultChainIds, networkPlan } from './networks.ts'
import { ownershipAddress } from './ownership.ts'
import { sessionKeysAddress } from './session-keys.ts'
import { smartBalanceAddress } from './smart-balance.ts'
import { type Anvil, type AnvilEnd, SupervisedAnvils } from './supervised-anvils.ts'
import { tokenPaymasterAddresses } from './token-paymaster.ts'

/**
 * Hard forks that a local network can use. `osaka` has the P-256 precompile at 0x100 (EIP-7951). `prague` and
 * `cancun` lack it, like many real networks, so they use the Solidity verifier.
 */
export const hardforks = ['osaka', 'prague', 'cancun'] as const
export type Hardfork = (typeof hardforks)[number]

export interface StartDevnetOptions {
  /** Default: 31337, 31338, 31339. */
  readonly chainIds?: readonly number[]
  /** First of consecutive ports. A port that is taken is replaced by a free one; absent: any free ports. */
  readonly port?: number
  /** Stores the chains here, one file each. Absent: in memory. */
  readonly dataDir?: string
  /** Seconds between blocks; transactions are still mined immediately. Default 1. */
  readonly blockTime?: number
  /** Default: anvil's newest, which has the P-256 precompile. */
  readonly hardfork?: Hardfork
  /** Folder of the prepared genesis state. Default: `node_modules/.cache` of this package. */
  readonly cacheDir?: string
  /** Aborts the start, or stops the running networks. */
  readonly signal?: AbortSignal
  /** Called if an anvil exits unexpectedly. */
  readonly onExit?: (exit: DevnetExit) => void
}

export interface DevnetExit extends AnvilEnd {
  readonly chainId: number
}

/** Running local networks. */
export interface Devnet extends AsyncDisposable {
  readonly networks: readonly RunningNetwork[]
  /** Stops all networks; with a data directory, their state is written first. May be called again. */
  stop(): Promise<void>
}

export interface RunningNetwork extends DevnetNetwork {
  readonly port: number
  /** The requested port, if another process holds it. */
  readonly takenPort?: number
  /** anvil's process id, for tests that kill it. */
  readonly pid: number
}

/**
 * Starts local networks with the canonical contracts ({@link canonicalAddresses}), a settlement token with
 * open mint, SmartBalance ({@link smartBalanceAddress}) with its roles ({@link devRoles}), SessionKeys
 * ({@link sessionKeysAddress}), and anvil's funded accounts ({@link devAccounts}).
 *
 * They stop when this process ends for any reason.
 *
 * @example
 * await using devnet = await startDevnet({ port: 8545 })
 * devnet.networks[0].rpcUrl // http://127.0.0.1:8545
 *
 * @throws DevnetError `ANVIL_FAILED`, `ANVIL_NOT_INSTALLED`, `STATE_CORRUPT`, `STATE_OUTDATED`, `ABORTED`
 */
export async function startDevnet(options: StartDevnetOptions = {}): Promise<Devnet> {
  const { chainIds = defaultChainIds, signal } = options
  if (signal?.aborted) throw aborted(signal)
  const anvils = new SupervisedAnvils()
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= anvils.stop()
    return stopping
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const networks = await Promise.all(
      chainIds.map((chainId, index) =>
        startNetwork(anvils, chainId, index, options, () => stopping !== undefined),
      ),
    )
    return { networks, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw signal?.aborted ? aborted(signal) : error
  }
}

async function startNetwork(
  anvils: SupervisedAnvils,
  chainId: number,
  index: number,
  options: StartDevnetOptions,
  isStopping: () => boolean,
): Promise<RunningNetwork> {
  const plan = networkPlan(chainId)
  const genesisPath = await genesisState(anvils, {
    decimals: plan.settlementToken.decimals,
    cacheDir: options.cacheDir,
  })
  const statePath = options.dataDir && (await chainFile(options.dataDir, chainId, genesisPath))
  const wantedPort = options.port === undefined ? 0 : options.port + index
  const anvil = await anvils.start(wantedPort, [
    ...['--chain-id', String(chainId)],
    // Mines blocks on a timer in addition to one per transaction, with epochs of one slot: `safe` is the head
    // − 1 and `finalized` the head − 2. With plain automining no block would ever become final.
    ...['--block-time', String(options.blockTime ?? 1), '--mixed-mining', '--slots-in-an-epoch', '1'],
    // By default anvil writes 3,600 old states to disk, 1 MB each after some hours.
    ...['--max-persisted-states', '64'],
    ...(options.hardfork ? ['--hardfork', options.hardfork] : []),
    ...(statePath ? ['--state', statePath, '--state-interval', '1'] : ['--load-state', genesisPath]),
  ])
  void anvil.ended.then((end) => {
    if (!isStopping()) options.onExit?.({ chainId, ...end })
  })
  await quieten(anvil)
  if (statePath) await assertCurrent(anvil, statePath)
  await mineFirstBlocks(anvil)
  return {
    ...plan,
    rpcUrl: anvil.rpcUrl,
    port: anvil.port,
    pid: anvil.pid,
    ...(wantedPort !== 0 && wantedPort !== anvil.port ? { takenPort: wantedPort } : {}),
  }
}

/** anvil prints a line per request; only `Listening on` was needed. */
async function quieten(anvil: Anvil): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: localTransport(anvil.rpcUrl) }).setLoggingEnabled(false)
}

/**
 * A loaded chain continues at its last block, which may be old: without new blocks, its head and its final
 * block would have that old time for a second. anvil also has no state to read for the very first block.
 */
async function mineFirstBlocks(anvil: Anvil): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: localTransport(anvil.rpcUrl) }).mine({ blocks: 3 })
}

/** A stored chain may be older than this package; the addresses of our contracts change with their code. */
async function assertCurrent(anvil: Anvil, statePath: string): Promise<void> {
  const client = createPublicClient({ transport: localTransport(anvil.rpcUrl) })
  const codes = await Promise.all(
    [smartBalanceAddress, sessionKeysAddress, ownershipAddress, ...tokenPaymasterAddresses].map((address) =>
      client.getCode({ address }),
    ),
  )
  if (codes.every((code) => code !== undefined)) return
  throw new DevnetError(
    'STATE_OUTDATED',
    `Another version with other contracts made ${statePath}. Remove the data directory to start with a fresh chain and database.`,
  )
}

function aborted(signal: AbortSignal): DevnetError {
  return new DevnetError('ABORTED', 'The start of the local networks was aborted', { cause: signal.reason })
}

/**
 * Path of the file that stores a chain between starts; created from the genesis state if absent.
 *
 * @throws DevnetError `STATE_CORRUPT` if the file exists but cannot be parsed, e.g. after a power failure
 * while anvil wrote. The chain and the database that refers to it must be deleted together, so this function
 * deletes nothing itself.
 */
async function chainFile(dataDir: string, chainId: number, genesisPath: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, `chain-${chainId}.json`)
  const content = await readFile(path, 'utf8').catch(() => undefined)
  if (content === undefined) {
    const temporary = `${path}.${randomUUID()}`
    await copyFile(genesisPath, temporary)
    await rename(temporary, path)
    return path
  }
  try {
    JSON.parse(content)
  } catch (cause) {
    throw new DevnetError(
      'STATE_CORRUPT',
      `${path} is damaged. Remove the data directory to start with a fresh chain and database.`,
      { cause },
    )
  }
  return path
}
