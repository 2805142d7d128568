import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import {
  type Database,
  extendReservation,
  type OrderRow,
  recordOrderOperation,
  type SmartBalanceLedgerTable,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { getOrderHash, type OrderSigner, settlementWindow, type UnsignedOrder } from '@lanyard/smart-balance'
import type { Selectable, Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { PolicyBudget } from '../../gas-policies/policy-budget.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { requireFairFees } from '../../gas-policies/require-fair-fees.ts'
import { type Consent, ConsentOutdated, type Payer } from '../../operations/build-request.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import { operatorOf } from '../model/operator.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { type FoundOrder, isSignedByOperator, orderExpired, requireUsable } from './find-order.ts'
import {
  draftOrder,
  draftOrderWithGas,
  type OrderTerms,
  readOrder,
  signOrder,
  withDraftGas,
} from './order-bytes.ts'
import {
  orderValidity,
  readChainValidity,
  requireGasDeposit,
  reservedUntil,
  shareOfBase,
} from './paymaster-terms.ts'

interface OrderPayerRequest {
  readonly network: Network
  readonly found: FoundOrder
  /** The owner whose signature the order is for. */
  readonly signer: OrderSigner
  /** The budget of the policy that pays if the order does not; absent for an order with debits. */
  readonly budget?: PolicyBudget | undefined
}

/**
 * SmartBalance pays for one order: at the reserved nonce, up to the gas budget, until the order expires. The
 * operator's signature is the consent. Under the lock of the order's row, the order and its sources are
 * checked before the operator signs, and again when the signature is written. No caller gets the signature
 * before that.
 *
 * @throws ORDER_EXPIRED, NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED; when consenting also GAS_BUDGET_EXCEEDED and
 * PAYMASTER_REFUSED
 */
export async function orderPayer(
  services: SmartBalanceServices,
  { network, found, signer, budget }: OrderPayerRequest,
): Promise<Payer> {
  const { database, now, log, checkpoint } = services
  const { order, debits } = found
  const { address: smartBalance } = getSmartBalance(network)
  const signed = await isSignedByOperator(database, order)
  requireUsable(order, { signed, now: now() })
  network.quorum.require()
  const [fees, chain, deposit] = await Promise.all([
    network.fees(),
    readChainValidity(network),
    readDeposit(network, network.config.entryPoint, smartBalance),
    syncSources(services, found),
  ])
  await checkpoint('order:checked')

  const termsUntil = (validUntil: number): OrderTerms => ({
    paymaster: smartBalance,
    claimAmount: order.claim_amount,
    validUntil,
    debits: debits.map(({ network: chainId, amount, fail_fee: failFee }) => ({ chainId, amount, failFee })),
    signer,
  })
  const validUntil = orderValidity(order, signed, chain)
  const draftTerms = termsUntil(validUntil)

  const unsignedUntil = (until: number, { paymasterAndData }: UserOperation) =>
    withDraftGas(termsUntil(until), paymasterAndData)
  const orderHashOf = (unsigned: UnsignedOrder, operation: UserOperation) =>
    getOrderHash({ order: unsigned, operation, chainId: network.chainId })

  const consent = async (transaction: Transaction<Database>, operation: UserOperation): Promise<Consent> => {
    const required = requiredPrefund(operation)
    requireGasDeposit(network, { deposit, required }, log)
    // All of it, postOp's probe included: a failure uses it up, and its failFees are the price of this budget.
    requireGasBudget(order, required)
    if (budget) requireFairFees(network, fees, operation, budget)
    await budget?.require(transaction, operation)
    const locked = await lockOrder(transaction, order)
    // If two builds of one order run concurrently, the second keeps the expiry that the first has set.
    const signedMeanwhile = await isSignedByOperator(transaction, order)
    requireUsable(locked, { signed: signedMeanwhile, now: now() })
    const until = orderValidity(locked, signedMeanwhile, { ...chain, latest: validUntil })
    await requireSources(transaction, found, until)
    const unsigned = unsignedUntil(until, operation)
    const paymasterAndData =
      (await findSignature(transaction, orderHashOf(unsigned, operation))) ??
      (async () => {
        await checkpoint('order:agreed')
        const signature = await signOrder(operatorOf(services, network), unsigned, {
          operation,
          chainId: network.chainId,
        })
        await checkpoint('order:signed')
        return signature
      })
    return { paymasterAndData, validUntil: until }
  }

  const confirm: Payer['confirm'] = async (transaction, operation, { validUntil: until }) => {
    const locked = await lockOrder(transaction, order)
    const signedMeanwhile = await isSignedByOperator(transaction, order)
    requireUsable(locked, { signed: signedMeanwhile, now: now() })
    // Another build came first and has set an earlier expiry; or it is the same build, and the signature is
    // the existing one.
    const isLate = signedMeanwhile && until > reservedUntil(locked)
    const orderHash = orderHashOf(unsignedUntil(until, operation), operation)
    if (isLate || (await findSignature(transaction, orderHash))) throw new ConsentOutdated()
    await requireSources(transaction, found, until)
    if (!signedMeanwhile) await extendReservation(transaction, order, until)
  }

  return {
    filledByService: true,
    position: { key: order.nonce_key, sequence: order.nonce_sequence },
    // Without a debit there is no failFee: an attacker could make operations fail and burn gas at the
    // operator's expense.
    maySponsorReverts: debits.length > 0,
    mustBeSteady: debits.length === 0,
    offersMinTip: budget?.offersMinTip ?? false,
    validUntil,
    preVerificationShortfall: shareOfBase(network, budget),
    draft: draftOrder(draftTerms),
    withGas: (estimate) => draftOrderWithGas(draftTerms, estimate),
    consent,
    confirm,
    record: async (transaction, { operation, userOpHash }) => {
      const bytes = readOrder(operation.paymasterAndData)
      // Two identical builds within a second are the same operation: `findSignature` has returned the same bytes.
      await recordOrderOperation(transaction, {
        order_hash: orderHashOf(bytes, operation),
        order_id: order.order_id,
        user_op_hash: userOpHash,
        paymaster_and_data: operation.paymasterAndData,
        valid_until: bytes.validUntil,
        created_at: now(),
      })
      await budget?.promise(
        transaction,
        { operation, userOpHash },
        { validUntil: bytes.validUntil, builtAtBlock: chain.block },
      )
    },
  }
}

/** Reads the sources at their final blocks: exits and pins may have changed since the reservation. */
async function syncSources(services: SmartBalanceServices, { order, debits }: FoundOrder): Promise<void> {
  if (debits.length === 0) return
  const { failures } = await syncLedger(
    services,
    order.account,
    debits.map(({ network }) => services.networks.get(network)),
  )
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
}

/**
 * The account's row is locked already (`reserveNonce`). This lock orders builds with the transactions that
 * close orders.
 */
async function lockOrder(transaction: Transaction<Database>, { order_id }: OrderRow): Promise<OrderRow> {
  const order = await transaction
    .selectFrom('orders')
    .selectAll()
    .where('order_id', '=', order_id)
    .forUpdate()
    .executeTakeFirst()
  if (order) return order
  throw orderExpired({ order_id })
}

/**
 * The operator's existing signature for an order. A signer may return different bytes each time (a KMS does),
 * and one order must not become two operations.
 */
async function findSignature(transaction: Transaction<Database>, orderHash: Hash): Promise<Hex | undefined> {
  const signed = await transaction
    .selectFrom('order_operations')
    .select('paymaster_and_data')
    .where('order_hash', '=', orderHash)
    .executeTakeFirst()
  return signed && (signed.paymaster_and_data as Hex) // written as hex
}

function requireGasBudget({ gas_budget, order_id }: OrderRow, required: bigint): void {
  if (required <= gas_budget) return
  throw new LanyardError('GAS_BUDGET_EXCEEDED', {
    message: `The operation may cost ${required} wei, and the order pays for ${gas_budget}. Compute a solution with gasBudget "${required}" or a little more.`,
    details: { required: String(required), gasBudget: String(gas_budget), orderId: order_id },
  })
}

type LedgerRow = Selectable<SmartBalanceLedgerTable>

/** ε of the protocol: the maximum difference in seconds between the clocks of two networks. */
const clockSkew = 3_600

/**
 * Checks again, right before the operator signs, that each source can still repay: the owner is pinned there,
 * and the funds that cannot leave before settlement ends cover the debit. An exit that starts later is
 * harmless, since it waits longer than a settlement can take. An exit that is already running is not.
 *
 * @param validUntil - of the order, Unix seconds
 * @throws ORDER_EXPIRED naming the network
 */
async function requireSources(
  transaction: Transaction<Database>,
  { order, debits }: FoundOrder,
  validUntil: number,
): Promise<void> {
  if (debits.length === 0) return
  const rows = await transaction
    .selectFrom('smart_balance_ledger')
    .selectAll()
    .where('account', '=', order.account)
    .where(
      'network',
      'in',
      debits.map(({ network }) => network),
    )
    .execute()
  for (const { network, amount } of debits) {
    const row = rows.find((one) => one.network === network)
    const lasting = row === undefined ? 0n : lastsUntil(row, validUntil + settlementWindow + clockSkew)
    if (lasting >= amount && isPinned(row, order.signer_id)) continue
    throw new LanyardError('ORDER_EXPIRED', {
      message: `The deposit on network ${network} can no longer repay this order: it is exiting, or the owner was removed there. Compute a new solution.`,
      details: { network },
    })
  }
}

const lastsUntil = ({ balance, exiting, exit_ready_at }: LedgerRow, time: number): bigint =>
  exit_ready_at < time ? balance - exiting : balance

const isPinned = (row: LedgerRow | undefined, signer: string): boolean =>
  Array.isArray(row?.pinned_signers) && row.pinned_signers.includes(signer)
