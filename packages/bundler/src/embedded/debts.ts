import type { ForeignPart, SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Fees } from '@lanyard/networks'
import type { Address } from 'viem'
import { requiredPreVerificationGas } from '../bundle-gas.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'

/** What is owed to relayers for gas that they lost. */
export interface Debts {
  /** By the account, wei. */
  readonly owed: bigint
  /**
   * Losses within an hour that operations of the same caller (key or address) have caused, that are not repaid, and that
   * are older than the account.
   */
  readonly callerLosses: number
  /**
   * Whether the account has paid for an operation itself. False also where it is not looked up: without such losses, unless
   * it is a delegated EOA.
   */
  readonly hasPaid: boolean
}

/** Milliseconds for which a caller's new accounts answer for its losses; an account answers for its own until it has repaid. */
export const callerMemory = 3_600_000

/** After so many losses, nothing is sent for an address's new accounts. A key has many users. */
const maxCallerLosses = 3

/**
 * The gas for which an operation pays enough to repay a debt, on top of its own preVerificationGas: EntryPoint
 * charges that in any case, and pays it to the relayer.
 *
 * @param fees - of the operation
 */
export function gasRepaidNow(
  owed: bigint,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
  { baseFeePerGas }: Pick<Fees, 'baseFeePerGas'>,
): bigint {
  if (owed === 0n) return 0n
  const paid = baseFeePerGas + maxPriorityFeePerGas
  const price = paid < maxFeePerGas ? paid : maxFeePerGas
  return price === 0n ? owed : (owed + price - 1n) / price
}

/** What a build asks for: as {@link gasRepaidNow}, and still enough when the base fee has fallen by a quarter. */
export const gasToRepay = (
  owed: bigint,
  fees: TransactionFees,
  { baseFeePerGas }: Pick<Fees, 'baseFeePerGas'>,
): bigint => gasRepaidNow(owed, fees, { baseFeePerGas: (baseFeePerGas * 3n) / 4n })

interface Judged extends Debts {
  readonly operation: SignedUserOperation
  readonly sentBy: string | null
  readonly external: ForeignPart | undefined
  readonly fees: Pick<Fees, 'baseFeePerGas'>
}

/**
 * Why an operation does not go because of past losses.
 *
 * An account repays with its next operation. One whose validation runs foreign code cannot: that code could make the
 * repayment fail too. New accounts also answer for the others of their caller, since accounts cost nothing. For one that has
 * paid, its payment vouches, unless its validation runs foreign code: that could behave until then.
 *
 * @returns GAS_OWED; undefined if nothing is owed, or the operation repays it
 */
export function rejectionForDebts(judged: Judged): LanyardError | undefined {
  const { operation, owed, callerLosses, hasPaid, sentBy, external, fees } = judged
  const details = { owed: owed.toString() }
  if (external && (owed > 0n || callerLosses > 0)) {
    return new LanyardError('GAS_OWED', {
      message:
        owed > 0n
          ? `Operations of this account cost the relayer ${owed} wei that nobody paid. The account is not as this service deploys it (${external}), so nothing is sent for it until it is.`
          : `Operations of this caller made transactions revert. This account is not as this service deploys it (${external}), so nothing is sent for it for an hour.`,
      details: { ...details, external },
    })
  }
  if (callerLosses >= maxCallerLosses && !hasPaid && sentBy?.startsWith('address:')) {
    return new LanyardError('GAS_OWED', {
      message: `Operations of this address made ${callerLosses} transactions revert within an hour. Nothing is sent for its new accounts until the gas is repaid, or an hour has passed. Accounts that are older, or have paid for an operation, go on.`,
      details,
    })
  }
  if (owed === 0n) return undefined
  const own = requiredPreVerificationGas(operation)
  const enough = own + gasRepaidNow(owed, operation, fees)
  if (operation.paymasterAndData === '0x' && operation.preVerificationGas >= enough) return undefined
  const required = own + gasToRepay(owed, operation, fees)
  return new LanyardError('GAS_OWED', {
    message: `Operations of this account cost the relayer ${owed} wei that nobody paid. The next operation repays it with its preVerificationGas (${required}), and the account has to pay for it itself. Build it again: the build includes it.`,
    details: { ...details, requiredPreVerificationGas: required.toString() },
  })
}

/**
 * What accounts owe, as far as this process has seen, so that an estimate adds it without a statement of its own. An
 * account that this process does not know is refused when it submits, and known from then on.
 */
export interface KnownDebts {
  /** wei */
  readonly of: (account: Address) => bigint
  readonly remember: (account: Address, owed: bigint) => void
}

/** Milliseconds. Another process may see the repayment, and the operator may forgive a debt. */
const rememberedFor = 300_000

/** Older ones are forgotten: they only cost a refusal more. */
const maxRemembered = 10_000

export function createKnownDebts(): KnownDebts {
  const known = new Map<string, { readonly owed: bigint; readonly seenAt: number }>()
  return {
    of(account) {
      const debt = known.get(account.toLowerCase())
      return debt && performance.now() - debt.seenAt < rememberedFor ? debt.owed : 0n
    },
    remember(account, owed) {
      known.delete(account.toLowerCase())
      if (owed > 0n) known.set(account.toLowerCase(), { owed, seenAt: performance.now() })
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
    },
  }
}
