import type { Address } from 'viem'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import type { SendOptions } from '../options.ts'
import { assertGrantable } from '../roles/assert-grantable.ts'
import { readHolding, readRoleSetting } from '../roles/read-roles.ts'
import { callToGrant, leftToGrant } from '../roles/role-calls.ts'
import type { Role } from '../roles/role-names.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface GrantOptions extends SendOptions {
  readonly role: Role
  readonly address: readonly Address[]
}

/** `lanyard roles grant`. */
export async function grantRole(options: GrantOptions): Promise<void> {
  const { role, address: addresses, dryRun } = options
  const session = await openAsOwner(options)
  const { output, send, finish } = session
  const read = async () => {
    const setting = await readRoleSetting(session)
    const holdings = await Promise.all(
      addresses.map((address) => readHolding(session, setting, role, address)),
    )
    return { setting, holdings }
  }
  const before = await read()
  await assertGrantable(session, before.setting, role, addresses)
  const sent = await send(
    before.holdings.flatMap((holding) => callToGrant(session, before.setting, holding) ?? []),
  )
  const after = dryRun ? before : await read()
  const left = after.holdings.flatMap((holding) => leftToGrant(after.setting, holding) ?? [])
  for (const line of left) output.say(`Left to do: ${line}`)
  if (sent.length === 0 && left.length === 0) output.say('Nothing to do: the roles are so already.')
  finish({ role, holdings: after.holdings, sent, left })
  if (left.length > 0 && !dryRun) throw new CommandEnd(exitCodes.unfinished)
}
