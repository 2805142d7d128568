import { secretsOfUrl } from '../../platform/secrets/secrets-of.ts'
import type { GasPolicy } from './gas-policy.ts'

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
