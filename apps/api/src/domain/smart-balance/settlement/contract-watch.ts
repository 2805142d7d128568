import { type BlockRange, walkBlocks } from '@lanyard/networks'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import type { Hash, PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import {
  alarmingGovernance,
  type GovernanceEvent,
  governanceEvents,
} from '../../../platform/metrics/label-values.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'

/** Milliseconds between polls. */
const pause = 15_000

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

const watchedEvents = [...smartBalanceAbi, ...attestorSetAbi].filter(
  (item) => item.type === 'event' && governanceEvents.some((name) => name === item.name),
) as readonly Extract<
  (typeof smartBalanceAbi | typeof attestorSetAbi)[number],
  { readonly type: 'event'; readonly name: GovernanceEvent }
>[] // filtered by these names

type Dependencies = SettlementDependencies & Pick<SmartBalanceServices, 'metrics'>

/** Watches for changes to SmartBalance on one network, by any party. */
export interface ContractWatch {
  /**
   * One pass: logs and counts each governance event, and the gas that SmartBalance paid for operations that
   * this service did not sign, which requires the operator's key. Events of the newest blocks are reported
   * immediately. Events of final blocks are reported only once, but possibly by another process than the one
   * that reported them before.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; the next pass reads the same blocks again
   */
  pass(): Promise<void>
  /** Whether the next poll is due. */
  hasWork(): boolean
}

export function createContractWatch(dependencies: Dependencies, on: BalanceNetwork): ContractWatch {
  const { database, now } = dependencies
  const { network, contract } = on
  const { chainId } = network.config
  /**
   * Events that this process has already reported, by their position on the chain: the newest blocks are read
   * repeatedly.
   */
  const told = new Map<string, bigint>()
  let next = 0

  async function read(client: PublicClient, range: BlockRange) {
    const verifier = await client.readContract({ ...contract, functionName: 'verifier' })
    const [governance, paid] = await Promise.all([
      client.getLogs({ address: [contract.address, verifier], events: watchedEvents, ...range }),
      client.getLogs({
        address: network.config.entryPoint,
        event: userOperationEvent,
        args: { paymaster: contract.address },
        strict: true,
        ...range,
      }),
    ])
    return { governance, paid }
  }

  async function tell({ governance, paid }: Awaited<ReturnType<typeof read>>) {
    const isNew = ({ blockHash, logIndex, blockNumber }: (typeof governance | typeof paid)[number]) => {
      const place = `${blockHash}:${logIndex}`
      if (told.has(place)) return false
      told.set(place, blockNumber)
      return true
    }
    for (const log of governance.filter(isNew)) {
      tellGovernance(dependencies, chainId, {
        event: log.eventName,
        args: log.args,
        txnHash: log.transactionHash,
      })
    }
    const fresh = paid.filter(isNew)
    const known = await findSigned(
      dependencies,
      fresh.map(({ args }) => args.userOpHash),
    )
    for (const { args, transactionHash } of fresh.filter((log) => !known.has(log.args.userOpHash))) {
      const { userOpHash, sender, actualGasCost } = args
      dependencies.metrics.countUnexplainedGas({ network: chainId, wei: actualGasCost })
      dependencies.log.error(
        {
          network: chainId,
          userOpHash,
          account: sender,
          txnHash: transactionHash,
          gasCost: String(actualGasCost),
        },
        "SmartBalance paid for an operation that this service did not sign: revoke the operator's key",
      )
    }
  }

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      const [final, head] = await Promise.all([
        network.finalizedBlock(),
        network.call((client) => client.getBlockNumber()),
      ])
      const seen = await findSeen(dependencies, chainId)
      // Events before the service first looked are covered by preflight and `lanyard roles list`.
      const fromBlock = seen === undefined ? final : seen + 1n
      for await (const { result, toBlock } of walkBlocks(network, { fromBlock, toBlock: head }, read)) {
        await tell(result)
        await writeSeen(database, chainId, toBlock < final ? toBlock : final)
      }
      for (const [place, block] of told) if (block <= final) told.delete(place)
      next = now().getTime() + pause
    },
  }
}

function tellGovernance(
  { log, metrics }: Dependencies,
  network: number,
  {
    event,
    args,
    txnHash,
  }: { readonly event: GovernanceEvent; readonly args: object; readonly txnHash: Hash },
): void {
  metrics.countGovernance({ network, event })
  const figures = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))
  const level = alarmingGovernance.some((one) => one === event) ? 'error' : 'warn'
  log[level]({ network, event, txnHash, ...figures }, `governance of SmartBalance: ${event}`)
}

/** Finds the operations that the operator of this service signed, whoever sent them. */
async function findSigned({ database }: Dependencies, hashes: readonly Hash[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const [orders, sponsorships] = await Promise.all([
    database
      .selectFrom('order_operations')
      .select('user_op_hash')
      .where('user_op_hash', 'in', hashes)
      .execute(),
    database.selectFrom('sponsorships').select('user_op_hash').where('user_op_hash', 'in', hashes).execute(),
  ])
  return new Set([...orders, ...sponsorships].map(({ user_op_hash }) => user_op_hash))
}

async function findSeen({ database }: Dependencies, network: number): Promise<bigint | undefined> {
  const row = await database
    .selectFrom('watched_contracts')
    .select('block_number')
    .where('network', '=', network)
    .executeTakeFirst()
  return row && BigInt(row.block_number)
}

/** Never decreases: another process may have read further. */
async function writeSeen(database: Dependencies['database'], network: number, block: bigint): Promise<void> {
  await database
    .insertInto('watched_contracts')
    .values({ network, block_number: Number(block) })
    .onConflict((conflict) =>
      conflict
        .column('network')
        .doUpdateSet({ block_number: Number(block) })
        .where('watched_contracts.block_number', '<', Number(block)),
    )
    .execute()
}
