import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@lanyard/contracts'
import { startNode } from '@lanyard/devnet'
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  numberToHex,
  type PrivateKeyAccount,
  parseEther,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import type { Postgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { timed } from '../report/statistics.ts'
import { type Chain, createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'

export const hostilePerSecond = 8

const rounds = 3
const roundLength = 5_000
/** Milliseconds until the stream is steady: by then the first operations have been tried three times. */
const rampUp = 3_000
const callers = 4
/**
 * Number of attackers, with one operation each in a round: enough for its length and for the other callers'
 * last operations.
 */
const attackers = 2 * hostilePerSecond * ((rampUp + roundLength) / 1_000)
/** How often an attacker resubmits a rejected operation. */
const tries = 4
/** Milliseconds of a few blocks. */
const pauseBetweenTries = 150

/**
 * A paymaster that approves everything, unless the given 5 bytes of opcodes leave a value other than 0:
 * `<condition> JUMPI(0x10) MSTORE(0, 0x40) RETURN(0, 0x60) JUMPDEST REVERT`.
 */
const paymasterThatMinds = (condition: Hex): Hex => concat([condition, '0x60105760405f5260605ff35b5f5ffd'])

/**
 * `GASPRICE != 0 && NUMBER & 1`: an estimate has no fees, and a simulation at an even head sees another block
 * number than the block that includes the transaction.
 */
const mindsOddBlocks = paymasterThatMinds('0x3a15154316')

/** PUSH0 leaves zero. JUMPDEST is padding. */
const behaves = paymasterThatMinds('0x5f5b5b5b5b')

/**
 * Milliseconds from submission to the answer that it is included, for all operations of other callers in the
 * rounds of each kind.
 */
interface Measured {
  readonly quiet: readonly number[]
  readonly attacked: readonly number[]
  /** Bundles that reverted on chain per second in the attacked rounds. */
  readonly revertedPerSecond: number
}

/**
 * Other callers send one operation after the other, while attackers submit previously built operations that
 * pass simulation and revert on chain.
 *
 * @throws if an operation of another caller fails, or if no bundle reverts
 */
export async function measureReverting(
  postgres: Postgres | undefined,
  progress: (line: string) => void,
): Promise<Measured> {
  await using node = await startNode()
  // Runs without rate limits, which would reduce the attack.
  await using service = await startService(node, await postgres?.fresh())
  const ours = createOurs(service.url)
  const chain = createChain(node.rpcUrl)
  const owners = ownersFrom(800, attackers + callers)
  await fund(chain, owners)
  await deploy(chain, owners)
  for (const owner of owners) await ours.create(owner)
  const others = owners.slice(attackers)
  // One paymaster each: operations that share a paymaster share a bundle.
  const hostile = owners.slice(0, attackers).map((owner, index) => ({ owner, paymaster: paymasterAt(index) }))
  const gas = concat([numberToHex(100_000n, { size: 16 }), numberToHex(0n, { size: 16 })])
  for (const { paymaster } of hostile) await deposit(chain, paymaster)
  const becomeAll = (bytecode: Hex) =>
    Promise.all(hostile.map(({ paymaster }) => chain.setCode({ address: paymaster, bytecode })))

  /** Builds and signs an operation, and returns a function that submits it. */
  async function prepare(owner: PrivateKeyAccount, paymasterData: Hex = '0x') {
    const { messageToSign } = await ours.build(owner, { paymasterData })
    const signature = await owner.sign({ hash: hash.parse(messageToSign) })
    return () => ours.submit(owner, signature)
  }

  async function attack(submits: readonly (() => Promise<unknown>)[], signal: AbortSignal): Promise<void> {
    const sending: Promise<unknown>[] = []
    for (const submit of submits) {
      if (signal.aborted) break
      sending.push(insist(submit))
      await delay(1_000 / hostilePerSecond)
    }
    await becomeAll(behaves) // pending operations are included, so that the next round starts quiet
    await Promise.all(sending)
  }

  async function measureRound(): Promise<number[]> {
    const until = performance.now() + roundLength
    const times = await Promise.all(
      others.map(async (owner) => {
        const own: number[] = []
        while (performance.now() < until) {
          const { ms, value } = await timed(await prepare(owner))
          if (!value.success) throw new Error(`${value.userOpHash} of others was reverted`)
          own.push(ms)
        }
        return own
      }),
    )
    return times.flat()
  }

  await measureRound() // warm-up
  const quiet: number[] = []
  const attacked: number[] = []
  let reverted = 0
  let milliseconds = 0
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await measureRound()))
    await becomeAll(mindsOddBlocks)
    const submits: (() => Promise<unknown>)[] = []
    for (const { owner, paymaster } of hostile) submits.push(await prepare(owner, concat([paymaster, gas])))
    const stop = new AbortController()
    const attacking = attack(submits, stop.signal)
    try {
      await delay(rampUp)
      const head = await chain.getBlockNumber()
      const { ms, value } = await timed(measureRound)
      reverted += await countReverted(chain, head)
      milliseconds += ms
      attacked.push(...value)
    } finally {
      stop.abort()
      await attacking
    }
    progress(
      `round ${round + 1} of ${rounds}: ${quiet.length} operations quiet, ${attacked.length} under attack, ${reverted} bundles reverted`,
    )
  }
  if (reverted === 0) throw new Error('No bundle reverted: this measures no attack')
  return { quiet, attacked, revertedPerSecond: reverted / (milliseconds / 1_000) }
}

/** A submission is rejected at odd heads, so it is retried a little later. */
async function insist(submit: () => Promise<unknown>): Promise<void> {
  for (let left = tries; left > 0; left--) {
    const isIncluded = await submit().then(
      () => true,
      () => false,
    )
    if (isIncluded) return
    await delay(pauseBetweenTries)
  }
}

/** An address used only by this bench. */
const paymasterAt = (index: number): Address => numberToHex(0x9a70_0000 + index, { size: 20 })

async function deposit(chain: Chain, paymaster: Address): Promise<void> {
  const txnHash = await chain.sendTransaction({
    to: entryPoint07Address,
    value: parseEther('10'),
    data: encodeFunctionData({ abi: entryPoint07Abi, functionName: 'depositTo', args: [paymaster] }),
  })
  await chain.waitForTransactionReceipt({ hash: txnHash })
}

/** The number of reverted transactions to the entry point in the blocks after `head`. */
async function countReverted(chain: Chain, head: bigint): Promise<number> {
  const last = await chain.getBlockNumber()
  let reverted = 0
  for (let blockNumber = head + 1n; blockNumber <= last; blockNumber++) {
    const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true })
    for (const { to, hash } of transactions) {
      if (!to || !isAddressEqual(to, entryPoint07Address)) continue
      if ((await chain.getTransactionReceipt({ hash })).status === 'reverted') reverted++
    }
  }
  return reverted
}
