import { endAlarms, raiseAlarms } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import { attestorSetAbi } from '@lanyard/onchain'
import type { Hash, PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import { alarmingGovernance } from '../../../platform/metrics/label-values.ts'
import { type LogPosition, type LogWatch, raisedBy, watchLogs } from '../../../platform/watch-logs.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { type GovernanceLog, readGovernanceLog, watchedEvents } from './governance-alarms.ts'

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** Milliseconds for which gas that is not explained stays an alarm. */
const day = 24 * 60 * 60_000

/**
 * Watches for changes to SmartBalance on one network, by any party: logs each governance event and raises alarms, also for gas
 * that SmartBalance paid for operations that this service did not sign, which requires the operator's key. Preflight and
 * `lanyard roles list` cover what happened before the service first looked.
 */
export function createContractWatch(dependencies: SettlementDependencies, on: BalanceNetwork): LogWatch {
  const { database, now, log } = dependencies
  const { network, contract } = on
  const { chainId } = network.config

  async function read(client: PublicClient, range: BlockRange) {
    const verifier = await client.readContract({ ...contract, functionName: 'verifier' })
    const [governance, paid] = await Promise.all([
      client.getLogs({
        ...{ address: [contract.address, verifier], events: watchedEvents, strict: true },
        ...range,
      }),
      client.getLogs({
        address: network.config.entryPoint,
        event: userOperationEvent,
        args: { paymaster: contract.address },
        strict: true,
        ...range,
      }),
    ])
    const threshold = governance.some(({ eventName }) => eventName === 'ThresholdProposed')
      ? await client.readContract({ address: verifier, abi: attestorSetAbi, functionName: 'threshold' })
      : undefined
    return { governance, paid, inForce: { verifier, threshold } }
  }
  type Found = Awaited<ReturnType<typeof read>>

  async function handle(
    { governance, paid, inForce }: Found,
    isNew: (log: LogPosition) => boolean,
    final: bigint,
  ) {
    const changes = governance.map((one) => ({ one, ...readGovernanceLog(one, inForce, now()) }))
    const signed = await findSigned(
      dependencies,
      paid.map(({ args }) => args.userOpHash),
    )
    const unexplained = paid.filter(({ args }) => !signed.has(args.userOpHash))
    await raiseAlarms(database, [
      ...changes.flatMap(({ one, alarm }) =>
        alarm === undefined
          ? []
          : {
              ...{ network: chainId, kind: 'governance' as const, ...raisedBy(one, final) },
              ...{ topic: alarm.topic, event: one.eventName, wei: 0n, ends_at: alarm.endsAt },
            },
      ),
      ...unexplained.map((one) => ({
        ...{ network: chainId, kind: 'unexplained-gas' as const, ...raisedBy(one, final) },
        ...{ topic: one.args.userOpHash, event: '', wei: one.args.actualGasCost },
        ends_at: new Date(now().getTime() + day),
      })),
    ])
    for (const { one, ends } of changes)
      if (ends !== undefined && one.blockNumber <= final)
        await endAlarms(database, {
          ...{ network: chainId, kind: 'governance', topic: ends },
          ...{ block: Number(one.blockNumber), now: now() },
        })
    for (const one of governance.filter(isNew)) logGovernance(dependencies, chainId, one)
    for (const { args, transactionHash } of unexplained.filter(isNew)) {
      const { userOpHash, sender, actualGasCost } = args
      log.error(
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

  return watchLogs({
    ...{ database, network, now, table: 'watched_contracts', read, handle },
    alarms: ['governance', 'unexplained-gas'],
  })
}

function logGovernance(
  { log }: Pick<SettlementDependencies, 'log'>,
  network: number,
  { eventName: event, args, transactionHash: txnHash }: GovernanceLog,
): void {
  const figures = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))
  const level = alarmingGovernance.some((one) => one === event) ? 'error' : 'warn'
  log[level]({ network, event, txnHash, ...figures }, `governance of SmartBalance: ${event}`)
}

/** Finds the operations that the operator of this service signed, whoever sent them. */
async function findSigned(
  { database }: SettlementDependencies,
  hashes: readonly Hash[],
): Promise<ReadonlySet<string>> {
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
