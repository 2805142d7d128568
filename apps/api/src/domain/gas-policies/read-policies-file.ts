import { readConfigurationFile } from '../../platform/configuration-file.ts'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { secretsOfUrl } from '../../platform/secrets/secrets-of.ts'
import { type GasPolicy, policiesFile } from './gas-policy.ts'

const ether = 10n ** 18n

/**
 * Pays on local networks, or takes a token, when there is no POLICIES_FILE. Nothing there has value, but the limits make an
 * endless loop visible.
 */
const localPolicies = (networks: Iterable<number>): readonly GasPolicy[] => {
  const local = {
    effect: 'allow',
    networks: new Set(networks),
    callGas: 10_000_000,
    anyBundler: true,
    budgets: { day: { wei: 10n * ether }, account: { day: { wei: ether } } },
  } as const
  return [
    { ...local, id: 'local' },
    { ...local, id: 'local-tokens', charge: { token: localToken, markup: 0 } },
  ]
}

/** The symbol of the settlement token of local networks. */
const localToken = 'USDC'

/**
 * The URLs of external paymasters contain keys, and their contexts may contain keys too: the log must not
 * show them.
 */
export const secretsOfPolicies = (policies: readonly GasPolicy[]): readonly string[] =>
  policies.flatMap((policy) => {
    if (policy.effect !== 'allow' || !policy.paymaster) return []
    const { url, context } = policy.paymaster
    const texts = Object.values(context).filter((value) => typeof value === 'string')
    return [...secretsOfUrl(url), ...texts]
  })

export interface KnownNetwork {
  readonly chainId: number
  readonly local: boolean
  readonly settlementToken?: { readonly symbol: string } | undefined
  /** Absent: the tokens of charges are not checked. */
  readonly feeTokens?: readonly { readonly symbol: string }[]
}

/**
 * The policies of a service: those of POLICIES_FILE, otherwise one that pays on local networks.
 *
 * @throws ConfigurationError listing every problem
 */
export async function readPolicies(
  path: string | undefined,
  networks: readonly KnownNetwork[],
): Promise<readonly GasPolicy[]> {
  if (path !== undefined) return readPoliciesFile(path, networks)
  const local = networks.filter((network) => network.local).map(({ chainId }) => chainId)
  return local.length === 0 ? [] : localPolicies(local)
}

/**
 * Reads the file that POLICIES_FILE names.
 *
 * @param networks - absent: chain ids, and https of external paymasters, are not checked.
 * @throws ConfigurationError as {@link readPolicies}
 */
export async function readPoliciesFile(
  path: string,
  networks?: readonly KnownNetwork[],
): Promise<readonly GasPolicy[]> {
  const source = `POLICIES_FILE (${path})`
  const { policies } = await readConfigurationFile(source, path, policiesFile)
  const problems = networks ? policies.flatMap((policy, index) => problemsOf(policy, index, networks)) : []
  if (problems.length === 0) return policies
  throw new ConfigurationError(source, problems)
}

/** What an operator must correct, besides the form of a policy. */
export function problemsOf(policy: GasPolicy, index: number, networks: readonly KnownNetwork[]): string[] {
  const place = `policies.${index}`
  const unknown = [...(policy.networks ?? [])].filter((id) => networks.every(({ chainId }) => chainId !== id))
  const problems = unknown.map((id) => `${place}.networks: ${id} is not a configured network`)
  const url = policy.effect === 'allow' ? policy.paymaster?.url : undefined
  const isReal = networks.some(({ chainId, local }) => !local && (policy.networks?.has(chainId) ?? true))
  const charge = policy.effect === 'allow' ? policy.charge : undefined
  if (charge) {
    const own = networks.filter(({ chainId }) => policy.networks?.has(chainId) ?? true)
    for (const { chainId, settlementToken, feeTokens } of own) {
      if (!feeTokens || settlementToken?.symbol === charge.token) continue
      if (feeTokens.some(({ symbol }) => symbol === charge.token)) continue
      problems.push(
        `${place}.charge.token: network ${chainId} has no ${charge.token}: name it in feeTokens, or list the networks of the policy`,
      )
    }
  }
  if (url?.startsWith('http:') && isReal) {
    problems.push(`${place}.paymaster.url: https is needed for a network that is not local`)
  }
  return problems
}
