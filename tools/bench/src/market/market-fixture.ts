import { setTimeout as delay } from 'node:timers/promises'
import { startNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import {
  type Address,
  type Hash,
  type Hex,
  isAddressEqual,
  type PrivateKeyAccount,
  parseTransaction,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { type Chain, createChain, deploy, fund, ownersFrom } from '../wallets/chain.ts'
import { createPeer } from '../wallets/peer.ts'
import {
  blockGas,
  createTraffic,
  demandOfBlocks,
  firstBaseFee,
  minTip,
  type WaitingTransaction,
} from './market.ts'

/** Milliseconds between blocks. */
export const blockTime = 1_000

const honestPerBlock = 2
/** One in ten operations is an attacker's. */
const blocksPerCheapOne = 5
const honestOwners = 60
const cheapOwners = 12

/** A bundler's program, and the address whose balance is its profit. */
interface MarketBundler extends AsyncDisposable {
  readonly url: string
  readonly relayer: Address
}

export type StartMarketBundler = (
  rpcUrl: string,
  chainId: number,
  owners: readonly PrivateKeyAccount[],
) => Promise<MarketBundler>

export interface MarketOutcome {
  /** For each honest operation: blocks in which it could have been included, up to the one that includes it. */
  readonly waits: readonly number[]
  /** For each of them: milliseconds from submission to its block. */
  readonly times: readonly number[]
  /** Honest operations that the bundler refused at once, and that it accepted and never included. */
  readonly refused: number
  readonly lost: number
  /** Attackers' operations that were accepted, and that were included. */
  readonly cheap: { readonly accepted: number; readonly included: number }
  /** What the relayer has more than at the start, wei for each operation that it included. */
  readonly profit: number
}

interface Sent {
  readonly owner: PrivateKeyAccount
  readonly isCheap: boolean
  readonly cap: bigint
  readonly tip: bigint
  readonly block: number
  readonly at: number
  included?: { readonly block: number; readonly at: number }
}

/** Runs one bundler through the market on a node of its own. The client is the same for all: permissionless. */
export async function runMarket(
  start: StartMarketBundler,
  progress: (line: string) => void,
): Promise<MarketOutcome> {
  await using resources = new AsyncDisposableStack()
  const node = resources.use(await startNode())
  const chain = createChain(node.rpcUrl)
  const honest = ownersFrom(0, honestOwners)
  const cheap = ownersFrom(honestOwners, cheapOwners)
  await fund(chain, [...honest, ...cheap])
  await deploy(chain, [...honest, ...cheap])
  const proxy = resources.use(await startRpcProxy(node.rpcUrl))
  proxy.set({
    methods: ['eth_sendRawTransaction'],
    fault: {
      kind: 'refuse',
      code: -32000,
      message: `transaction gas price below minimum: gas tip cap 0, minimum needed ${minTip}`,
      when: ({ params: [raw] = [] }) => (parseTransaction(raw as Hex).maxPriorityFeePerGas ?? 0n) < minTip, // the node parses it, too
    },
  })
  const bundler = resources.use(await start(proxy.url, node.chainId, [...honest, ...cheap]))
  const peer = createPeer({ rpcUrl: node.rpcUrl, bundlerUrl: bundler.url })
  const wallets = new Map(
    await Promise.all([...honest, ...cheap].map(async (owner) => [owner, await peer.wallet(owner)] as const)),
  )
  const traffic = await createTraffic(chain)
  await chain.setIntervalMining({ interval: 0 })
  await chain.setAutomine(false)
  await chain.setBlockGasLimit({ gasLimit: blockGas })
  await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: firstBaseFee })
  await chain.mine({ blocks: 1 })
  const before = await chain.getBalance({ address: bundler.relayer })

  const baseFees: bigint[] = []
  const waiting = new Map<Hash, Sent>()
  const done: Sent[] = []
  let refused = 0
  const reasons = new Set<string>()
  let acceptedCheap = 0

  async function submit(owner: PrivateKeyAccount, isCheap: boolean, baseFee: bigint): Promise<void> {
    const block = baseFees.length
    const at = performance.now()
    try {
      // An attacker offers the least that anybody accepts: it cannot be included once the base fee rises again.
      const fees = isCheap ? { maxFeePerGas: (baseFee * 9n) / 8n + minTip, maxPriorityFeePerGas: minTip } : {}
      const operation = await wallets.get(owner)?.sign(fees)
      if (!operation) throw new TypeError('The owner has no wallet')
      const hash = await peer.send(operation)
      const { maxFeePerGas: cap, maxPriorityFeePerGas: tip } = operation
      waiting.set(hash, { owner, isCheap, cap, tip, block, at })
      if (isCheap) acceptedCheap++
    } catch (error) {
      if (isCheap) return
      refused++
      const reason = /Details: .*/.exec(String(error))?.[0] ?? String(error)
      if (!reasons.has(reason)) progress(`refused: ${reason}`)
      reasons.add(reason)
    }
  }

  const isBusy = (owner: PrivateKeyAccount) => [...waiting.values()].some((one) => one.owner === owner)
  const submitting = new Set<PrivateKeyAccount>()
  const pick = (owners: readonly PrivateKeyAccount[]) =>
    owners.find((owner) => !submitting.has(owner) && !isBusy(owner))
  const begin = (owners: readonly PrivateKeyAccount[], isCheap: boolean, baseFee: bigint) => {
    const owner = pick(owners)
    if (!owner) return
    submitting.add(owner)
    void submit(owner, isCheap, baseFee).finally(() => submitting.delete(owner))
  }

  let last = await chain.getBlock()
  for (const [index, demand] of demandOfBlocks.entries()) {
    const began = performance.now()
    const baseFee = last.baseFeePerGas ?? 0n
    for (let i = 0; i < honestPerBlock; i++) begin(honest, false, baseFee)
    if (index % blocksPerCheapOne === 0) begin(cheap, true, baseFee)
    await delay(Math.max(0, blockTime - (performance.now() - began)))
    await traffic.send(demand, await waitingOf(chain, bundler.relayer), baseFee)
    last = await mineBlock()
    if (index % 20 === 0) {
      const fee = Number(last.baseFeePerGas) / 1e9
      progress(`block ${index}: base fee ${fee} gwei, ${done.length} included, ${waiting.size} wait`)
    }
  }
  // What still waits gets some quiet blocks.
  for (let block = 0; block < 15 && waiting.size > 0; block++) {
    await delay(blockTime)
    last = await mineBlock()
  }

  async function mineBlock() {
    await chain.mine({ blocks: 1 })
    const block = await chain.getBlock()
    baseFees.push(block.baseFeePerGas ?? 0n)
    const logs = await chain.getContractEvents({
      address: entryPoint07Address,
      abi: entryPoint07Abi,
      eventName: 'UserOperationEvent',
      fromBlock: block.number,
      toBlock: block.number,
      strict: true,
    })
    for (const { args } of logs) {
      const sent = waiting.get(args.userOpHash)
      if (!sent) continue
      sent.included = { block: baseFees.length - 1, at: performance.now() }
      waiting.delete(args.userOpHash)
      done.push(sent)
    }
    return block
  }

  const included = done.filter(({ isCheap }) => !isCheap)
  const isAffordable = ({ cap, tip }: Sent, baseFee: bigint) => tip >= minTip && cap >= baseFee + minTip
  const profit = (await chain.getBalance({ address: bundler.relayer })) - before
  return {
    waits: included.map(
      (sent) =>
        baseFees.slice(sent.block, (sent.included?.block ?? 0) + 1).filter((fee) => isAffordable(sent, fee))
          .length,
    ),
    times: included.map(({ at, included }) => (included?.at ?? 0) - at),
    refused,
    lost: [...waiting.values()].filter(({ isCheap }) => !isCheap).length,
    cheap: { accepted: acceptedCheap, included: done.length - included.length },
    profit: Number(profit) / Math.max(1, done.length),
  }
}

/** A sender's transactions in the node's pool that can be in the next block, by nonce. */
async function waitingOf(chain: Chain, sender: Address): Promise<WaitingTransaction[]> {
  const { pending } = await chain.getTxpoolContent()
  const [, own = {}] = Object.entries(pending).find(([from]) => isAddressEqual(from as Address, sender)) ?? []
  return Object.values(own)
    .toSorted((a, b) => Number(a.nonce) - Number(b.nonce))
    .map(({ maxFeePerGas, maxPriorityFeePerGas, gasPrice, gas }) => ({
      cap: BigInt(maxFeePerGas ?? gasPrice ?? 0),
      tip: BigInt(maxPriorityFeePerGas ?? gasPrice ?? 0),
      gas: BigInt(gas),
    }))
}
