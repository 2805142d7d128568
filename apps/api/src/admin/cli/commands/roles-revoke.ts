import type { Address } from 'viem'
import { CliError } from '../cli-error.ts'
import type { SendOptions } from '../options.ts'
import { type Holding, type RoleSetting, readHolding, readRoleSetting } from '../roles/read-roles.ts'
import { callToRevoke } from '../roles/role-calls.ts'
import type { Role } from '../roles/role-names.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface RevokeOptions extends SendOptions {
  readonly role: Role
  readonly address: readonly Address[]
  readonly force?: boolean
}

/** `lanyard roles revoke`: at once, since it may be urgent. */
export async function revokeRole(options: RevokeOptions): Promise<void> {
  const { role, address: addresses } = options
  const session = await openAsOwner(options, { caller: role === 'operator' ? 'guardian' : 'owner' })
  const setting = await readRoleSetting(session)
  const holdings = await Promise.all(addresses.map((address) => readHolding(session, setting, role, address)))
  if (!options.force) assertEnoughAttestors(setting, holdings)
  const sent = await session.send(
    holdings.flatMap((holding) => callToRevoke(session, setting, holding) ?? []),
  )
  if (sent.length === 0) session.output.say('Nothing to do: the roles are so already.')
  session.finish({ role, sent })
}

/** The contract takes it: whoever holds the last keys may be the thief. */
export function assertEnoughAttestors(
  { threshold, attestorCount }: RoleSetting,
  revoked: readonly Holding[],
): void {
  const left = attestorCount - revoked.filter(({ role, active }) => role === 'attestor' && active).length
  if (left === attestorCount || left >= threshold) return
  throw new CliError(
    'TOO_FEW_ATTESTORS',
    `${threshold} attestors must agree and ${left} would be left: nothing could be settled. Add others first, lower the threshold, or say --force.`,
  )
}
