import { createPublicClient, createTestClient } from 'viem'
import { chainFile } from './chain-file.ts'
import { DevnetError } from './errors.ts'
import { genesisState } from './genesis-state.ts'
import { localTransport } from './local-transport.ts'
import { type DevnetNetwork, defaultChainIds, networkPlan } from './networks.ts'
import { sessionKeysAddress } from './session-keys.ts'
import { smartBalanceAddress } from './smart-balance.ts'
import { type Anvil, type AnvilEnd, SupervisedAnvils } from './supervised-anvils.ts'

/**
 * Hard forks that a local network can follow. `osaka` has the P-256 precompile at 0x100 (EIP-7951); `prague` and
 * `cancun` have not, as many real networks, so there the Solidity verifier is used.
 */
export const hardforks = ['osaka', 'prague', 'cancun'] as const
export type Hardfork = (typeof hardforks)[number]

export interface StartDevnetOptions {
  /** Default: 31337, 31338, 31339. */
  readonly chainIds?: readonly number[]
  /** First of consecutive ports. One that is taken is replaced by a free one; absent: all are free ones. */
  readonly port?: number
  /** Keep the chains here, one file each. Absent: in memory. */
  readonly dataDir?: string
  /** Seconds between blocks; transactions are mined at once all the same. Default 1. */
  readonly blockTime?: number
  /** Default: anvil's newest, which has the P-256 precompile. */
  readonly hardfork?: Hardfork
  /** Where to keep the prepared genesis state. Default: `node_modules/.cache` of this package. */
  readonly cacheDir?: string
  /** Aborting ends the start, or the running networks. */
  readonly signal?: AbortSignal
  /** Called when an anvil ends without having been asked to. */
  readonly onExit?: (exit: DevnetExit) => void
}

export interface DevnetExit extends AnvilEnd {
  readonly chainId: number
}

/** Running local networks. */
export interface Devnet extends AsyncDisposable {
  readonly networks: readonly RunningNetwork[]
  /** Ends all networks; with a data directory, their state is written first. May be called again. */
  stop(): Promise<void>
}

export interface RunningNetwork extends DevnetNetwork {
  readonly port: number
  /** The port that was asked for, when another process holds it. */
  readonly takenPort?: number
  /** anvil's process id, for tests that kill it. */
  readonly pid: number
}

/**
 * Starts local networks that carry the canonical contracts ({@link canonicalAddresses}), a settlement token
 * with open mint, SmartBalance ({@link smartBalanceAddress}) with its roles ({@link devRoles}),
 * SessionKeys ({@link sessionKeysAddress}), and anvil's funded accounts ({@link devAccounts}).
 *
 * They end with this process, whatever ends it.
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
    // Blocks on a timer besides one per transaction, and epochs of one slot: `safe` is the head − 1 and
    // `finalized` the head − 2. Under plain automining nothing would ever become final.
    ...['--block-time', String(options.blockTime ?? 1), '--mixed-mining', '--slots-in-an-epoch', '1'],
    // Of states that leave memory anvil writes 3,600 to disk by default, 1 MB each after some hours.
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

/** anvil prints a line per request, which nobody reads: only `Listening on` was wanted. */
async function quieten(anvil: Anvil): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: localTransport(anvil.rpcUrl) }).setLoggingEnabled(false)
}

/**
 * A loaded chain begins where it ended, maybe long ago: without blocks of now, its head and its final block would have
 * that time for a second, and of the very first block anvil has no state to read.
 */
async function mineFirstBlocks(anvil: Anvil): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: localTransport(anvil.rpcUrl) }).mine({ blocks: 3 })
}

/** A kept chain may be older than this package; the addresses of our contracts change with their code. */
async function assertCurrent(anvil: Anvil, statePath: string): Promise<void> {
  const client = createPublicClient({ transport: localTransport(anvil.rpcUrl) })
  const codes = await Promise.all(
    [smartBalanceAddress, sessionKeysAddress].map((address) => client.getCode({ address })),
  )
  if (codes.every((code) => code !== undefined)) return
  throw new DevnetError(
    'STATE_OUTDATED',
    `${statePath} was made by another version, which had other contracts. Remove the data directory to start with a fresh chain and database.`,
  )
}

function aborted(signal: AbortSignal): DevnetError {
  return new DevnetError('ABORTED', 'The start of the local networks was aborted', { cause: signal.reason })
}
