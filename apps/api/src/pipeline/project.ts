import type { Logins } from '../domain/accounts/identities/logins.ts'
import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import type { SecretsOwner } from '../domain/events/webhooks/webhook-secrets.ts'
import type { TargetPolicy } from '../domain/events/webhooks/webhook-target.ts'
import type { LivePolicies } from '../domain/gas-policies/live-policies.ts'
import type { Brand } from '../platform/brand/read-brand.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

/**
 * What one app of an installation has to itself. Procedures find it in the request context. There is one so far,
 * `default`, which the environment configures.
 */
export interface Project {
  readonly id: 'default'
  readonly relyingParty: RelyingParty
  readonly brand: Brand
  readonly logins: Logins
  readonly policies: LivePolicies
  readonly limits: RateLimits
  /** Where its webhooks may be delivered to, and the keys that encrypt their secrets. */
  readonly webhooks: TargetPolicy & Pick<SecretsOwner, 'encryptionKey' | 'olderKeys'>
}
