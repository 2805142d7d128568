import { readStoredList, writeStored } from '@lanyard/ui'
import type { Address } from 'viem'

/** Native value that arrived on a network before the account was deployed there. */
export interface EarlyReceipt {
  readonly chainId: number
  /** Base units. */
  readonly amount: bigint
  /** When this browser first saw it, ISO 8601. */
  readonly seenAt: string
}

const keyOf = (account: Address) => `lanyard.early-receipts.${account.toLowerCase()}`

/**
 * The receipts that this browser saw. Native value leaves no log before deployment, so only the balance shows
 * it, and later operations change the balance.
 */
export function readEarlyReceipts(account: Address): readonly EarlyReceipt[] {
  return readStoredList(keyOf(account)).flatMap(toReceipt)
}

/** Remembers the balance of a network on which the account is not deployed. A later balance replaces it. */
export function rememberEarlyReceipt(account: Address, receipt: EarlyReceipt): void {
  const known = readEarlyReceipts(account)
  const last = known.find(({ chainId }) => chainId === receipt.chainId)
  if (last?.amount === receipt.amount) return
  const next = [
    ...known.filter(({ chainId }) => chainId !== receipt.chainId),
    { ...receipt, seenAt: last?.seenAt ?? receipt.seenAt },
  ]
  writeStored(
    keyOf(account),
    next.map((one) => ({ ...one, amount: one.amount.toString() })),
  )
}

function toReceipt(value: unknown): readonly EarlyReceipt[] {
  const { chainId, amount, seenAt } = Object(value)
  return Number.isSafeInteger(chainId) &&
    typeof amount === 'string' &&
    /^\d{1,78}$/.test(amount) &&
    typeof seenAt === 'string' &&
    !Number.isNaN(Date.parse(seenAt))
    ? [{ chainId, amount: BigInt(amount), seenAt }]
    : []
}
