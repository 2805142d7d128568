import { requiredPrefund, type UserOperation } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { BudgetLimits, Exceeded } from './gas-budgets.ts'
import { dayOf, describeExceeded, peekAtBudgets, takeFromBudgets } from './gas-budgets.ts'
import type { AllowingPolicy } from './gas-policy.ts'
import { type PolicyRequest, type PolicyServices, policyRefusal } from './require-policy.ts'

const limitsOf = ({ budgets }: AllowingPolicy): BudgetLimits => ({
  account: budgets.account,
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

/** A policy's budgets for one operation. The maximum cost of an operation is EntryPoint's prefund. */
export interface PolicyBudget {
  /** @throws PAYMASTER_REFUSED when the operation does not fit now; nothing is taken */
  readonly require: (transaction: Transaction<Database>, operation: UserOperation) => Promise<void>
  /**
   * Takes the maximum cost of the operation, in the transaction that writes it with the paymaster's
   * signature.
   *
   * @throws PAYMASTER_REFUSED when it does not fit
   */
  readonly reserve: (
    transaction: Transaction<Database>,
    built: { readonly operation: UserOperation; readonly userOpHash: Hash },
    usable: Usable,
  ) => Promise<void>
}

export function policyBudget(
  services: PolicyServices,
  policy: AllowingPolicy,
  { network, address, caller }: Omit<PolicyRequest, 'calls'>,
): PolicyBudget {
  const { id, budgets } = policy
  const limits = limitsOf(policy)
  const payment = {
    kind: 'sponsored',
    policy: id,
    caller,
    network: network.chainId,
    account: address.toLowerCase(),
  } as const
  const owners = { account: "this account's", apiKey: "this API key's", all: `policy ${id}'s` }
  const refuse = (exceeded: Exceeded, now: Date) =>
    policyRefusal(
      services,
      id,
      `${exceeded.scope === 'apiKey' ? 'api_key' : exceeded.scope}_${exceeded.span}`,
      describeExceeded(exceeded, owners, now),
    )
  return {
    async require(transaction, operation) {
      const cost = requiredPrefund(operation)
      if (budgets.operation !== undefined && cost > budgets.operation) {
        throw policyRefusal(services, id, 'operation', {
          message: `The operation may cost ${cost} wei, and policy ${id} pays at most ${budgets.operation}. Fund the account, or do less in one operation.`,
          details: { required: String(cost), budget: String(budgets.operation) },
        })
      }
      const now = services.now()
      const exceeded = await peekAtBudgets(transaction, limits, { ...payment, day: dayOf(now) }, cost)
      if (exceeded) throw refuse(exceeded, now)
    },
    async reserve(transaction, { operation, userOpHash }, { validUntil, builtAtBlock }) {
      const now = services.now()
      const exceeded = await takeFromBudgets(transaction, limits, {
        ...payment,
        user_op_hash: userOpHash,
        reserved: requiredPrefund(operation),
        valid_until: validUntil,
        built_at_block: builtAtBlock,
        created_at: now,
      })
      if (exceeded) throw refuse(exceeded, now)
    },
  }
}
