import { randomUUID } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import { type Database, keepWaiting } from '@lanyard/database'
import { type Network, withReservedShare } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Address, LocalAccount } from 'viem'
import {
  bundleGasLimit,
  l1DataGas,
  maxTransactionGas,
  relayerShare,
  withL1DataMargin,
  withWorstCaseGas,
} from '../bundle-gas.ts'
import type { Bundler, EstimateRequest, GasEstimate } from '../bundler.ts'
import { ownPaymasters } from '../own-paymasters.ts'
import { coalesced } from '../sender/coalesced.ts'
import { createInFlightLimit } from '../sender/context.ts'
import type { SenderEvent } from '../sender/sender-event.ts'
import { type RetiredSenders, retiredSenders } from '../sender/settle-retired.ts'
import { estimateBySimulation } from '../simulation/estimate-by-simulation.ts'
import { assertKnownEntryPoint, assertKnownPaymaster } from './assert-admissible.ts'
import { createBundleAudit } from './audit-bundles.ts'
import {
  type Checkpoint,
  defaultRelayerSettings,
  type EmbeddedContext,
  type RelayerSettings,
} from './context.ts'
import { createKnownDebts, gasToRepay } from './debts.ts'
import { deliver } from './deliver.ts'
import { drainQueue } from './drain-queue.ts'
import { createRememberedSenders } from './foreign-senders.ts'
import { createRecentSimulations } from './recent-simulations.ts'
import { revertedBundles } from './reverted-bundles.ts'
import { sendOwn } from './send-own.ts'
import { isSignerFailure } from './signer-failure.ts'
import { createDeliverySimulation } from './simulate-delivery.ts'

/**
 * The gas limits from the simulation, with preVerificationGas increased by what the network charges in
 * addition to gas, and without what our relayer bears. Checks that one transaction can have that much gas. Both values are requested in one round
 * trip.
 *
 * @throws PAYMASTER_REFUSED for a paymaster that delivery refuses, OPERATION_REFUSED if one transaction cannot have
 * that much gas, and as `Bundler.estimate`.
 */
export async function estimateForRelayer(
  context: EmbeddedContext,
  request: EstimateRequest,
  relayer: Address,
): Promise<GasEstimate> {
  const { network, knownDebts } = context
  assertKnownEntryPoint(network, request.operation)
  assertKnownPaymaster(network, request.operation)
  const { l1Fee } = network.config
  const [{ execution, ...simulated }, l1Gas] = await Promise.all([
    estimateBySimulation(network, request, relayer),
    l1DataGas(network, l1Fee ? withWorstCaseGas(request.operation) : request.operation),
  ])
  const { sender, paymasterAndData } = request.operation
  // Nobody else pays what the account owes.
  const owed = paymasterAndData === '0x' ? knownDebts.of(sender) : 0n
  const fees = network.lastFees ?? { baseFeePerGas: 0n }
  const simulatedGas = bundleGasLimit([{ ...request.operation, ...simulated }], l1Fee)
  const limits = {
    ...simulated,
    preVerificationGas:
      simulated.preVerificationGas -
      relayerShare(network, request.operation) +
      withL1DataMargin(l1Gas(simulatedGas)) +
      gasToRepay(owed, request.operation, fees),
  }
  const gas = bundleGasLimit([{ ...request.operation, ...limits }], l1Fee)
  if (gas <= maxTransactionGas) return { ...limits, execution }
  throw new LanyardError('OPERATION_REFUSED', {
    message: `The operation needs ${gas} gas, which is more than one transaction may use (${maxTransactionGas}). Split it up.`,
    details: { gas: gas.toString(), maxGas: maxTransactionGas.toString() },
  })
}

export interface EmbeddedDependencies {
  readonly database: Kysely<Database>
  /**
   * Accounts that send `handleOps` and are paid by the operations; each needs some native currency to start
   * with. The next one is used if the previous one has `maxInFlight` pending transactions or is held by
   * another process.
   */
  readonly relayers: readonly LocalAccount[]
  readonly settings?: Partial<RelayerSettings>
  /** Default: the system's clock. */
  readonly now?: () => Date
  /** Called between the steps of a drive, in tests. */
  readonly checkpoint?: Checkpoint
  /** Called for each send, refusal and replacement of a relayer's transaction. */
  readonly observe?: (event: SenderEvent) => void
}

/**
 * A bundler inside this process: simulates by eth_call, batches the operations that wait in the database, and
 * sends them as a relayer.
 */
export function createEmbeddedBundler(network: Network, dependencies: EmbeddedDependencies): Bundler {
  const {
    database,
    relayers,
    now = () => new Date(),
    checkpoint = () => {},
    observe = () => {},
  } = dependencies
  const settings = { ...defaultRelayerSettings, ...dependencies.settings }
  const [firstRelayer] = relayers
  if (!firstRelayer) {
    throw new LanyardError('INTERNAL', {
      message: `${network.config.name} uses the embedded bundler, which needs the key of a relayer.`,
    })
  }
  const context: EmbeddedContext = {
    network,
    ownPaymasters: ownPaymasters(network.config),
    database,
    holder: randomUUID(),
    now,
    checkpoint: (step) => checkpoint(`relayer:${step}`),
    hasContents: isOfRelayer,
    hasOpenContents: hasWaitingOperations,
    reverted: (txnHashes) => revertedBundles(context, txnHashes),
    settings,
    lossPerHour: BigInt(network.config.relayerLossPerHour),
    inFlightLimit: createInFlightLimit(settings.maxInFlight, reservedPlaces),
    observe,
    seenWaiting: new Map(),
    recentNonces: new Map(),
    rememberedSenders: createRememberedSenders(network),
    knownDebts: createKnownDebts(),
    recentSimulations: createRecentSimulations(),
  }
  const order = [...relayers]
  const retired = retiredSenders(
    context,
    relayers.map(({ address }) => address),
  )
  const audit = createBundleAudit(context)
  const simulateDelivery = createDeliverySimulation(network, {
    ...context,
    relayer: firstRelayer.address,
  })
  const check: Bundler['deliver'] = (operation, sentBy = null) =>
    deliver(context, simulateDelivery, operation, sentBy)
  return {
    entryPoint: network.config.entryPoint,
    estimate: (request) => estimateForRelayer(context, request, firstRelayer.address),
    deliver: check,
    check,
    drive: coalesced(() =>
      withReservedShare(async () => {
        await driveAll(context, order, retired)
        await audit()
      }),
    ),
    sendOwn: (call) => sendOwn(context, relayers, call),
  }
}

/** Transactions of a relayer that only a call that stops a theft may add, however many others wait to be mined. */
const reservedPlaces = 1

/** Condition on a row `tx` of relayer_transactions: it is a bundle, or a call of the relayer's own. */
const isOfRelayer = sql<boolean>`(tx.intent is not null or exists (
  select from relayer_transaction_operations link where link.txn_hash = tx.txn_hash))`

/**
 * Condition on a row `tx` of relayer_transactions: as far as the service knows, one of its operations is not
 * on chain.
 */
const hasWaitingOperations = sql<boolean>`tx.txn_hash = any (array(
  select link.txn_hash from operations
    join relayer_transaction_operations link on link.user_op_hash = operations.user_op_hash
  where operations.state = 'submitted' and not operations.final and operations.signed_at is not null))`

/**
 * One drive: each relayer in order does what it can, and what one cannot send is taken by the next. A relayer
 * whose key cannot be used is skipped and moved to the end of the order.
 *
 * @param order - the order of the relayers; modified when a relayer moves to the end
 * @param retired - relayers that are no longer configured
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED after all other relayers have run; NETWORK_UNAVAILABLE,
 * NETWORK_FAILED
 */
async function driveAll(
  context: EmbeddedContext,
  order: LocalAccount[],
  retired: RetiredSenders,
): Promise<void> {
  await retired.settle()
  let failure: unknown
  let feesTooHigh: ReadonlySet<string> | undefined
  for (const relayer of [...order]) {
    try {
      const drained = await drainQueue(context, relayer)
      feesTooHigh = intersection(feesTooHigh, drained?.unaffordable ?? new Set())
    } catch (error) {
      if (!isSignerFailure(error)) throw error
      failure ??= error
      order.splice(order.indexOf(relayer), 1)
      order.push(relayer)
    }
  }
  if (feesTooHigh && feesTooHigh.size > 0) await explainLackOfFunds(context, order, [...feesTooHigh])
  if (failure !== undefined) throw failure
}

const intersection = (before: ReadonlySet<string> | undefined, now: ReadonlySet<string>) =>
  new Set([...now].filter((hash) => before?.has(hash) ?? true))

/** They stay due: the first relayer that has enough sends them. */
const explainLackOfFunds = ({ database }: EmbeddedContext, order: LocalAccount[], hashes: string[]) =>
  keepWaiting(database, hashes, {
    reason_code: 'BUNDLER_UNAVAILABLE',
    reason_message: `The relayer ${order.map(({ address }) => address).join(', ')} has too little to send the transaction. It will be retried.`,
  })
