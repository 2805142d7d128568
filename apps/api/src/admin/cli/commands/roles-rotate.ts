import { type Address, isAddressEqual } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import type { SendOptions } from '../options.ts'
import { assertGrantable } from '../roles/assert-grantable.ts'
import { readHolding, readRoleSetting } from '../roles/read-roles.ts'
import { callToGrant, callToRevoke, leftToGrant } from '../roles/role-calls.ts'
import { type Role, variableOf } from '../roles/role-names.ts'
import { rotateOwner } from '../roles/rotate-owner.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface RotateOptions extends SendOptions {
  readonly role: Role | 'owner'
  readonly from?: Address
  readonly to: Address
  readonly retire?: boolean
}

/** `lanyard roles rotate`: where it stands is read from the chain each time, so that it may end anywhere. */
export async function rotateRole(options: RotateOptions): Promise<void> {
  const { role, from, to } = options
  if (role === 'owner') return rotateOwner(options)
  if (from === undefined || isAddressEqual(from, to)) {
    throw new ConfigurationError('The rotation', [
      from === undefined ? '--from: needed, who has the role now' : '--to: the same as --from',
    ])
  }
  const session = await openAsOwner(options)
  const { output, send, finish } = session
  const read = async () => {
    const setting = await readRoleSetting(session)
    const [old, next] = await Promise.all([
      readHolding(session, setting, role, from),
      readHolding(session, setting, role, to),
    ])
    return { setting, old, next }
  }
  let now = await read()
  await assertGrantable(session, now.setting, role, [to])
  const grant = callToGrant(session, now.setting, now.next)
  const sent = await send(grant ? [grant] : [])
  if (sent.length > 0 && !options.dryRun) now = await read()
  // In a dry run the new key may have no role yet: then this is a later step.
  if (now.next.active && options.retire) {
    const revocation = callToRevoke(session, now.setting, now.old)
    sent.push(...(await send(revocation ? [revocation] : [])))
    if (!options.dryRun) now = await read()
  }
  const left = [
    ...[leftToGrant(now.setting, now.next)].filter((line) => line !== undefined),
    ...(now.old.active ? [leftToRetire(role, from, to)] : []),
  ]
  for (const line of left) output.say(`Left to do: ${line}`)
  if (left.length === 0) output.say(`Done: ${to} is ${role}, and ${from} is not.`)
  finish({ role, from: now.old, to: now.next, sent, left })
  if (left.length > 0 && !options.dryRun) throw new CommandEnd(exitCodes.unfinished)
}

const leftToRetire = (role: Role, from: Address, to: Address) =>
  `once every process has the key of ${to} in ${variableOf[role]} in place of ${from}'s, run this again with --retire.`
