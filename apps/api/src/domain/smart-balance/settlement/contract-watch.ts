import type { BlockRange } from '@lanyard/networks'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import type { Hash, PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import {
  alarmingGovernance,
  type GovernanceEvent,
  governanceEvents,
} from '../../../platform/metrics/label-values.ts'
import { type LogPosition, type LogWatch, watchLogs } from '../../../platform/watch-logs.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

const watchedEvents = [...smartBalanceAbi, ...attestorSetAbi].filter(
  (item) => item.type === 'event' && governanceEvents.some((name) => name === item.name),
) as readonly Extract<
  (typeof smartBalanceAbi | typeof attestorSetAbi)[number],
  { readonly type: 'event'; readonly name: GovernanceEvent }
>[] // filtered by these names

type Dependencies = SettlementDependencies & Pick<SmartBalanceServices, 'metrics'>

/**
 * Watches for changes to SmartBalance on one network, by any party: logs and counts each governance event, and the gas
 * that SmartBalance paid for operations that this service did not sign, which requires the operator's key. Preflight and
 * `lanyard roles list` cover what happened before the service first looked.
 */
export function createContractWatch(dependencies: Dependencies, on: BalanceNetwork): LogWatch {
  const { database, now } = dependencies
  const { network, contract } = on
  const { chainId } = network.config

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

  async function tell(
    { governance, paid }: Awaited<ReturnType<typeof read>>,
    isNew: (log: LogPosition) => boolean,
  ) {
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

  return watchLogs({ database, network, now, table: 'watched_contracts', read, handle: tell })
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
