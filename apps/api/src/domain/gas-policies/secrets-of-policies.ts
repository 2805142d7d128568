import { secretsOfUrl } from '../../platform/secrets/secrets-of.ts'
import type { GasPolicy } from './gas-policy.ts'

/** The addresses of external paymasters hold keys, and their contexts may: no line of the log repeats them. */
export const secretsOfPolicies = (policies: readonly GasPolicy[]): readonly string[] =>
  policies.flatMap((policy) => {
    if (policy.effect !== 'allow' || !policy.paymaster) return []
    const { url, context } = policy.paymaster
    const texts = Object.values(context).filter((value) => typeof value === 'string')
    return [...secretsOfUrl(url), ...texts]
  })
