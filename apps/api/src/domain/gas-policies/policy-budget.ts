import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import { transactionGas } from '@lanyard/bundler'
import type { LanyardError } from '@lanyard/contracts'
import { budgetDayOf, type Database, type SponsorshipRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { BudgetLimits, Exceeded } from './gas-budgets.ts'
import { describeExceeded, peekAtBudgets, promiseFromBudgets } from './gas-budgets.ts'
import type { AllowingPolicy } from './gas-policy.ts'
import { type PolicyRequest, type PolicyServices, policyRejection } from './require-policy.ts'

export const limitsOf = ({ budgets }: AllowingPolicy): BudgetLimits => ({
  account: budgets.account,
  caller: budgets.caller,
  apiKey: budgets.apiKey,
  all: budgets,
})

/** How long the paymaster's signature can be used. */
interface Usable {
  /** Unix seconds: after this time, the operation can no longer be included. */
  readonly validUntil: number
  /** Head of the chain when the operation was built. */
  readonly builtAtBlock: number
}

/** A policy's budgets for one operation. The maximum cost of an operation is EntryPoint's prefund, and what our
 * relayer bears. */
export interface PolicyBudget {
  /** Gas of an operation that the service's relayer pays, in addition to what EntryPoint charges the paymaster. */
  readonly relayerGas: bigint
  /**
   * Whether the operation offers the least tip that the network takes, and the service's relayer adds the rest (`bundleFees`).
   * The sender of an operation to EntryPoint receives its tip.
   */
  readonly offersMinTip: boolean
  /** @throws PAYMASTER_REFUSED when the operation does not fit now; nothing is promised */
  readonly require: (transaction: Transaction<Database>, operation: UserOperation) => Promise<void>
  /**
   * Promises the maximum cost of the operation, in the transaction that writes it with the paymaster's
   * signature. `takeSponsorship` takes it when the operation is submitted.
   *
   * @throws PAYMASTER_REFUSED when it does not fit
   */
  readonly promise: (
    transaction: Transaction<Database>,
    built: { readonly operation: UserOperation; readonly userOpHash: Hash },
    usable: Usable,
  ) => Promise<void>
}

interface BudgetRequest extends Omit<PolicyRequest, 'calls' | 'feeToken'> {
  /** As `budgetCallerOf` names who asks. */
  readonly builder: string
  /** Default: `sponsored`. */
  readonly kind?: SponsorshipRow['kind']
}

/**
 * Whether only our relayers send what the policy pays for, with our own SmartBalance: they then bear a transaction's
 * base cost. Other bundlers and paymasters leave nothing out of preVerificationGas.
 */
const isOurs = (
  { config }: Pick<PolicyRequest['network'], 'config'>,
  { anyBundler, paymaster }: AllowingPolicy,
): boolean => config.bundler.kind === 'embedded' && !anyBundler && paymaster === undefined

/** Gas of a transaction that the relayer bears, which the payer of the operation covers. */
export const relayerGasOf = (
  network: Pick<PolicyRequest['network'], 'config'>,
  policy: AllowingPolicy,
): bigint => (isOurs(network, policy) ? transactionGas : 0n)

/** The refusal for an exceeded budget of a policy. */
export function budgetRejection(
  services: Pick<PolicyServices, 'metrics'>,
  id: string,
  exceeded: Exceeded,
  now: Date,
): LanyardError {
  const { scope, span, isPromised } = exceeded
  const owners = {
    account: "this account's",
    caller: "this caller's",
    apiKey: "this API key's",
    all: `policy ${id}'s`,
  }
  const reason = isPromised ? 'unsent' : (`${scope === 'apiKey' ? 'api_key' : scope}_${span}` as const)
  return policyRejection(services, id, reason, describeExceeded(exceeded, owners, now))
}

export function policyBudget(
  services: PolicyServices,
  policy: AllowingPolicy,
  { network, address, caller, builder, kind = 'sponsored' }: BudgetRequest,
): PolicyBudget {
  const { id, budgets, callGas } = policy
  const limits = limitsOf(policy)
  const offersMinTip = isOurs(network, policy)
  const relayerGas = relayerGasOf(network, policy)
  const costOf = (operation: UserOperation) =>
    requiredPrefund(operation) + relayerGas * operation.maxFeePerGas
  const payment = {
    kind,
    policy: id,
    caller,
    builder,
    network: network.chainId,
    account: address.toLowerCase(),
  } as const
  const reject = (exceeded: Exceeded, now: Date) => budgetRejection(services, id, exceeded, now)
  return {
    relayerGas,
    offersMinTip,
    async require(transaction, operation) {
      const cost = costOf(operation)
      if (operation.callGasLimit > BigInt(callGas)) {
        throw policyRejection(services, id, 'call_gas', {
          message: `The calls may use ${operation.callGasLimit} gas, and policy ${id} pays for at most ${callGas} (callGas). Do less in one operation, or fund the account.`,
          details: { required: String(operation.callGasLimit), budget: String(callGas) },
        })
      }
      if (budgets.operation !== undefined && cost > budgets.operation) {
        throw policyRejection(services, id, 'operation', {
          message: `The operation may cost ${cost} wei, and policy ${id} pays at most ${budgets.operation}. Fund the account, or do less in one operation.`,
          details: { required: String(cost), budget: String(budgets.operation) },
        })
      }
      const now = services.now()
      const exceeded = await peekAtBudgets(transaction, limits, { ...payment, day: budgetDayOf(now) }, cost)
      if (exceeded) throw reject(exceeded, now)
    },
    async promise(transaction, { operation, userOpHash }, { validUntil, builtAtBlock }) {
      const now = services.now()
      const exceeded = await promiseFromBudgets(transaction, limits, {
        ...payment,
        user_op_hash: userOpHash,
        reserved: costOf(operation),
        relayer_gas: Number(relayerGas),
        valid_until: validUntil,
        built_at_block: builtAtBlock,
        created_at: now,
      })
      if (exceeded) throw reject(exceeded, now)
    },
  }
}
