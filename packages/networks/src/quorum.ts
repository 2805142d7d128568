import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hash, type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import { readFinalBlock } from './finalized-block.ts'
import { sharedSerially } from './request-queue.ts'

/** A block that the origins of a network have in common. */
export interface AgreedBlock {
  readonly number: bigint
  readonly hash: Hash
  /** Unix seconds. */
  readonly timestamp: number
  /** wei per gas; 0 on networks without a base fee. */
  readonly baseFeePerGas: bigint
}

/** A log of a block. */
export interface AgreedLog {
  readonly address: Address
  readonly topics: [Hex, ...Hex[]] | []
  readonly data: Hex
  readonly transactionHash: Hash
  readonly logIndex: Hex
}

/**
 * Why a state is not confirmed. `disagree`: two origins contradict each other about one block, so one of them
 * is wrong. `silent`: fewer than two answered. `apart`: their newest blocks differ, as after a reorg, or one of
 * them is far behind. `alone`: fewer than two are configured.
 */
export const unconfirmedReasons = ['disagree', 'silent', 'apart', 'alone'] as const

export type UnconfirmedReason = (typeof unconfirmedReasons)[number]

/** One origin of a network's state. */
interface Witness {
  readonly origin: string
  readonly client: PublicClient
}

/**
 * Reads that two RPCs of different origin must confirm. Whatever decides that the operator signs, or that an
 * order ends, is read here: an RPC that lies can then stop loans, and cannot cause one. If the network has only
 * one origin, it is read from that one; whoever lends calls `require` first.
 *
 * The reads throw NETWORK_UNCONFIRMED if the origins do not confirm each other, and NETWORK_UNAVAILABLE or
 * NETWORK_FAILED if none of them answers.
 */
export interface Quorum {
  /** The names of the origins. */
  readonly origins: readonly string[]
  /**
   * Two origins are needed, or one on a local network and where the configuration accepts the risk.
   *
   * @throws NETWORK_UNCONFIRMED
   */
  require(): void
  /** Each origin alone, for searches whose results are confirmed afterwards. */
  readonly witnesses: readonly Caller[]
  /** The newest block that the origins have in common. */
  head(): Promise<AgreedBlock>
  /** The newest final block that the origins have in common. */
  final(): Promise<AgreedBlock>
  /** The last result of `final`: a read at it can start before it is known whether it is still the newest. */
  readonly lastFinal: AgreedBlock | undefined
  /** An eth_call at exactly this block (EIP-1898). The answers must be the same, byte for byte. */
  call(block: Pick<AgreedBlock, 'hash'>, request: CallRequest): Promise<Hex>
  /** A value that must be the same at all origins. The reader names the block. */
  agree<T extends bigint | string>(read: (client: PublicClient) => Promise<T>): Promise<T>
  /**
   * A value that moves with each block, so that origins differ a little: `combine` makes one of two, or none if they
   * contradict each other. If only one origin answers, its value counts: what one may cost must have a bound.
   */
  approximately<T>(
    read: (client: PublicClient) => Promise<T>,
    combine: (a: T, b: T) => T | undefined,
  ): Promise<T>
  /** The logs of exactly this block. The answers must be the same. */
  logs(block: Pick<AgreedBlock, 'hash'>, filter: LogFilter): Promise<readonly AgreedLog[]>
}

/** `call` of a network. */
interface Caller {
  call<T>(use: (client: PublicClient) => Promise<T>): Promise<T>
}

interface CallRequest {
  readonly to: Address
  readonly data: Hex
}

interface LogFilter {
  readonly address: Address
  readonly topics: readonly (Hex | readonly Hex[] | null)[]
}

interface QuorumOptions {
  readonly config: Pick<
    NetworkConfig,
    'chainId' | 'name' | 'local' | 'finality' | 'blockTime' | 'oneLyingRpcMayTakeLiquidity'
  >
  readonly witnesses: readonly Witness[]
  /** Converts errors of the RPC, as `Network.call` does. */
  readonly call: <T>(client: PublicClient, use: (client: PublicClient) => Promise<T>) => Promise<T>
  readonly unconfirmed: (reason: UnconfirmedReason, origins: readonly string[]) => void
}

/** An origin, and its answer. */
interface Answer<T> extends Witness {
  readonly value: T
}

const needed = 2

/**
 * Maximum seconds between the final blocks of two origins. Finality advances in steps of some minutes. A state
 * that is older by this much is still safe: an exit or the removal of a signer takes days longer than any
 * settlement.
 */
const maxFinalLag = 1_800

/** Maximum seconds between the heads of two origins, on fast networks. */
const minHeadLag = 60
/** On slow networks it is this number of blocks. */
const headLagBlocks = 10

export function createQuorum({ config, witnesses, call, unconfirmed }: QuorumOptions): Quorum {
  const { name, chainId } = config
  const isMet = witnesses.length >= needed || config.local || config.oneLyingRpcMayTakeLiquidity

  function reject(reason: UnconfirmedReason, among: readonly Witness[] = witnesses): LanyardError {
    unconfirmed(
      reason,
      among.map(({ origin }) => origin),
    )
    return new LanyardError('NETWORK_UNCONFIRMED', {
      message: `${name}: ${sentences[reason]} Nothing is lent on it or against it until two of them confirm its state.`,
      details: { network: chainId, reason },
    })
  }

  /** The answers of the first two origins that give one. */
  async function askAny<T>(read: (client: PublicClient) => Promise<T>): Promise<readonly Answer<T>[]> {
    const waiting = [...witnesses]
    const failures: unknown[] = []
    /** Asks one origin after another until one of them answers. */
    async function next(): Promise<readonly Answer<T>[]> {
      const witness = waiting.shift()
      if (!witness) return []
      try {
        return [{ ...witness, value: await call(witness.client, read) }]
      } catch (error) {
        failures.push(error)
        return next()
      }
    }
    const answers = (await Promise.all(Array.from({ length: needed }, next))).flat()
    if (answers.length === 0) throw failures[0]
    return answers
  }

  /** The answers of two origins; of the only one, if there is no other. */
  async function ask<T>(read: (client: PublicClient) => Promise<T>): Promise<readonly Answer<T>[]> {
    const answers = await askAny(read)
    if (answers.length >= Math.min(needed, witnesses.length)) return answers
    throw reject('silent')
  }

  /** The common answer of the origins. */
  async function agree<T>(read: (client: PublicClient) => Promise<T>, isSame: (a: T, b: T) => boolean) {
    const answers = await ask(read)
    const [first, ...others] = answers
    if (!first) throw reject('silent')
    if (others.some(({ value }) => !isSame(value, first.value))) throw reject('disagree', answers)
    return first.value
  }

  /**
   * The lower of the origins' newest blocks, once all of them have it on their chain: a block that one of them
   * makes up, or that is not final for all of them, does not count.
   */
  async function agreeOnBlock(
    read: (client: PublicClient) => Promise<AgreedBlock>,
    { maxLag, contradiction }: { readonly maxLag: number; readonly contradiction: UnconfirmedReason },
  ): Promise<AgreedBlock> {
    const answers = await ask(read)
    const blocks = answers.map(({ value }) => value)
    const lowest = blocks.reduce((least, block) => (block.number < least.number ? block : least))
    const newest = Math.max(...blocks.map(({ timestamp }) => timestamp))
    if (newest - lowest.timestamp > maxLag) throw reject('apart', answers)
    const there = await Promise.all(
      answers.map(({ client, value }) =>
        value.number === lowest.number
          ? value
          : call(client, (one) => one.getBlock({ blockNumber: lowest.number })).then(toAgreedBlock, () => {
              throw reject('silent')
            }),
      ),
    )
    if (there.some((block) => !isSameBlock(block, lowest))) throw reject(contradiction, answers)
    return lowest
  }

  let lastFinal: AgreedBlock | undefined
  const maxHeadLag = Math.max(minHeadLag, (headLagBlocks * config.blockTime) / 1000)

  return {
    origins: witnesses.map(({ origin }) => origin),
    witnesses: witnesses.map(({ client }) => ({ call: (use) => call(client, use) })),
    require() {
      if (!isMet) throw reject('alone')
    },
    agree: (read) => agree(read, (a, b) => a === b),
    async approximately(read, combine) {
      const answers = await askAny(read)
      const [first, second] = answers
      if (!first) throw reject('silent')
      if (!second) return first.value
      const combined = combine(first.value, second.value)
      if (combined === undefined) throw reject('disagree', answers)
      return combined
    },
    head: sharedSerially(() =>
      agreeOnBlock(async (client) => toAgreedBlock(await client.getBlock()), {
        maxLag: maxHeadLag,
        contradiction: 'apart',
      }),
    ),
    final: sharedSerially(async () => {
      lastFinal = await agreeOnBlock(async (client) => toAgreedBlock(await readFinalBlock(client, config)), {
        maxLag: maxFinalLag,
        contradiction: 'disagree',
      })
      return lastFinal
    }),
    get lastFinal() {
      return lastFinal
    },
    call: ({ hash }, request) =>
      agree(
        (client) =>
          client.request({
            method: 'eth_call',
            params: [request, { blockHash: hash, requireCanonical: true }],
          }),
        (a, b) => a.toLowerCase() === b.toLowerCase(),
      ),
    logs: ({ hash }, { address, topics }) =>
      agree(
        async (client) => {
          const filter = {
            address,
            topics: topics.map((one) => (one === null || typeof one === 'string' ? one : [...one])),
            blockHash: hash,
          }
          const logs = await client.request({ method: 'eth_getLogs', params: [filter] })
          return logs.flatMap(({ transactionHash, logIndex, ...log }): AgreedLog[] =>
            transactionHash === null || logIndex === null
              ? []
              : [{ address: log.address, topics: log.topics, data: log.data, transactionHash, logIndex }],
          )
        },
        (a, b) => a.length === b.length && a.every((log, index) => isSameLog(log, b[index])),
      ),
  }
}

const sentences: Readonly<Record<UnconfirmedReason, string>> = {
  disagree: 'two of its RPCs contradict each other.',
  silent: 'fewer than two of its RPCs answer.',
  apart: 'its RPCs are at different blocks.',
  alone: 'it has RPCs of only one origin.',
}

interface FoundBlock {
  readonly number: bigint | null
  readonly hash: Hash | null
  readonly timestamp: bigint
  readonly baseFeePerGas: bigint | null
}

function toAgreedBlock({ number, hash, timestamp, baseFeePerGas }: FoundBlock): AgreedBlock {
  if (number === null || hash === null) throw new TypeError('Only a pending block has no number')
  return { number, hash, timestamp: Number(timestamp), baseFeePerGas: baseFeePerGas ?? 0n }
}

const isSameBlock = (a: AgreedBlock, b: AgreedBlock) =>
  a.number === b.number &&
  a.hash === b.hash &&
  a.timestamp === b.timestamp &&
  a.baseFeePerGas === b.baseFeePerGas

const isSameLog = (a: AgreedLog, b: AgreedLog | undefined) =>
  b !== undefined &&
  isAddressEqual(a.address, b.address) &&
  a.data === b.data &&
  a.transactionHash === b.transactionHash &&
  a.logIndex === b.logIndex &&
  a.topics.join() === b.topics.join()
