import { transactionGas } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { OrderRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { maxValidity } from '@lanyard/smart-balance'
import type { Logger } from 'pino'
import type { PolicyBudget } from '../../gas-policies/policy-budget.ts'
import { orderExpired } from './find-order.ts'

/**
 * What an operation pays of a transaction's base cost, units of gas. The embedded bundler leaves it out of estimates
 * for SmartBalance, because its relayer bears it for gas policies. Everyone else pays it.
 */
export const shareOfBase = (
  { config }: Pick<Network, 'config'>,
  budget: Pick<PolicyBudget, 'relayerGas'> | undefined,
): bigint => (config.bundler.kind === 'embedded' ? transactionGas - (budget?.relayerGas ?? 0n) : 0n)

/** Unix seconds by the chain's clock, which decides validity. */
interface ChainValidity {
  /** Time of the newest block. */
  readonly head: number
  /** Number of the newest block. */
  readonly block: number
  /** The latest expiry for an operation that is built now. */
  readonly latest: number
}

/**
 * Seconds by which an order ends before the contract's limit. EntryPoint rejects the operation before
 * validUntil − maxValidity (AA32), and the bundler may simulate at a node that is some blocks behind the one
 * queried here.
 */
const margin = 60

/** Minimum remaining seconds, in which an operation is signed, submitted and included. */
const shortest = 60

/**
 * Two RPCs must confirm the time. An order that is valid for longer than the contract allows could be claimed
 * when its sources can no longer be debited.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readChainValidity(network: Network): Promise<ChainValidity> {
  const { timestamp: head, number } = await network.quorum.head()
  return { head, block: Number(number), latest: head + maxValidity - margin }
}

/** Unix seconds: the expiry that the first build has set. */
export const reservedUntil = ({ expires_at }: OrderRow): number => Math.floor(expires_at.getTime() / 1000)

/**
 * `validUntil` of an operation of an order. The first operation that the operator signs extends the
 * reservation to it. Later ones do not, because repeated builds could otherwise hold a balance forever.
 *
 * @returns Unix seconds
 * @throws ORDER_EXPIRED when too little time is left
 */
export function orderValidity(order: OrderRow, signed: boolean, { head, latest }: ChainValidity): number {
  const validUntil = Math.min(
    latest,
    signed ? reservedUntil(order) : latest,
    order.withdrawal_deadline ?? latest,
  )
  if (validUntil - head < shortest) throw orderExpired(order)
  return validUntil
}

/**
 * Rejects an operation that the paymaster's deposit cannot pay for, before the bundler answers AA31. Only the
 * operator can resolve this.
 *
 * @throws PAYMASTER_REFUSED
 */
export function requireGasDeposit(
  { chainId, config }: Network,
  { deposit, required }: { readonly deposit: bigint; readonly required: bigint },
  log: Logger,
): void {
  if (deposit >= required) return
  log.error(
    {
      network: chainId,
      smartBalance: config.smartBalance,
      deposit: String(deposit),
      required: String(required),
    },
    'the gas deposit of SmartBalance is too low: top it up with depositGas',
  )
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service cannot pay for gas on ${config.name} at the moment. Try again later, or let the account pay.`,
  })
}
