import type { Call } from '@lanyard/accounts'
import { LanyardError, usernameKey } from '@lanyard/contracts'
import { type Database, findAccount } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { PolicyRejection } from '../../platform/metrics/label-values.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { accountKindOf, toAnyWallet } from '../accounts/accounts/wallet.ts'
import type { AllowingPolicy, GasPolicy } from './gas-policy.ts'
import { type Choice, choosePolicy } from './match-policies.ts'

/** The services that are needed to find a policy. */
export interface PolicyServices {
  readonly database: Kysely<Database>
  readonly metrics: Pick<Metrics, 'countPolicyRefusal'>
  readonly now: () => Date
}

export interface PolicyRequest {
  /** Those of the request's project, in the order in which they are declared. */
  readonly policies: readonly GasPolicy[]
  readonly network: Network
  /** Address of the account, in any letter case. */
  readonly address: string
  /** The name of the request's API key. */
  readonly caller: string
  /** Undefined when the calls cannot be read from the call data. */
  readonly calls: readonly Call[] | undefined
  /** Symbol of the token in which the account pays; absent: the service pays. */
  readonly feeToken?: string | undefined
}

/** The verdict of each policy on a request; budgets are not checked. */
export async function evaluateSponsorship(
  { database, now }: Pick<PolicyServices, 'database' | 'now'>,
  {
    policies,
    chainId,
    address,
    caller,
    calls,
    feeToken,
  }: Omit<PolicyRequest, 'network'> & { readonly chainId: number },
): Promise<Choice> {
  const isNeeded = policies.some(({ users, accountKinds }) => users || accountKinds)
  const account = isNeeded ? await findAccount(database, address) : undefined
  return choosePolicy(policies, {
    network: chainId,
    account: address.toLowerCase(),
    accountKind: account && accountKindOf(toAnyWallet(account)),
    user: account && usernameKey(account.username),
    apiKey: caller,
    calls,
    feeToken,
    at: now(),
  })
}

/**
 * Finds the policy that pays for a request: the first that applies, unless one denies. Its budgets are
 * checked later, when the cost is known.
 *
 * @throws PAYMASTER_REFUSED
 */
export async function requirePolicy(
  services: PolicyServices,
  request: PolicyRequest,
): Promise<AllowingPolicy> {
  const { config } = request.network
  const { paying, denying } = await evaluateSponsorship(services, {
    ...request,
    chainId: request.network.chainId,
  })
  const remedy = 'Fund the account, spend the smart balance with orderData, or send your own paymasterData.'
  if (denying) {
    throw policyRejection(services, denying.id, 'denied', {
      message: `The policy ${denying.id} denies this operation. ${remedy}`,
    })
  }
  if (!paying) {
    throw policyRejection(services, '', 'no_policy', {
      message:
        request.feeToken === undefined
          ? `The service does not pay for the gas of this operation on ${config.name}: no policy matches. ${remedy} Operators declare policies in POLICIES_FILE.`
          : `The service takes no ${request.feeToken} for the gas of this operation on ${config.name}: no policy with that charge matches. Let the account pay, or ask GET /gas/tokens for other tokens.`,
    })
  }
  if (paying.paymaster || config.smartBalance) return paying
  throw policyRejection(services, paying.id, 'no_paymaster', {
    message: `No sponsoring paymaster is configured on ${config.name}. Fund the account, or send your own paymasterData.`,
  })
}

/** Creates a refusal that the metrics count. */
export function policyRejection(
  { metrics }: Pick<PolicyServices, 'metrics'>,
  policy: string,
  reason: PolicyRejection,
  { message, details = {} }: { readonly message: string; readonly details?: Record<string, string> },
): LanyardError {
  metrics.countPolicyRefusal({ policy, reason })
  return new LanyardError('PAYMASTER_REFUSED', {
    message,
    details: { ...(policy !== '' && { policy }), refusal: reason, ...details },
  })
}
