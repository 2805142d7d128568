import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { NetworkOptions } from '../options.ts'
import { findRoleHolders, type NamedHolders } from '../role-holders.ts'
import { findHolders } from '../roles/find-holders.ts'
import { type Holding, type RoleSetting, readHolding, readRoleSetting } from '../roles/read-roles.ts'
import { roles } from '../roles/role-names.ts'
import { openSmartBalance } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

/** As parsed from the command line. */
export interface ListOptions extends NetworkOptions, NamedHolders {
  readonly scanFrom?: bigint
}

/** `lanyard roles list`. */
export async function listRoles(options: ListOptions): Promise<void> {
  const session = await openSmartBalance(options)
  const { env, network, contract, output } = session
  const setting = await readRoleSetting(session)
  const scanned =
    options.scanFrom === undefined ? undefined : await findHolders(session, setting, options.scanFrom)
  const named = await findRoleHolders(network.config, env, options)
  const [operators = [], settlers = [], attestors = []] = await Promise.all(
    roles.map((role) =>
      Promise.all(
        unique([...named[`${role}s`], ...(scanned?.get(role) ?? [])]).map((address) =>
          readHolding(session, setting, role, address),
        ),
      ),
    ),
  )
  for (const line of describeSetting(contract.address, setting)) output.say(line)
  for (const holding of [...operators, ...settlers, ...attestors]) output.say(`  ${describe(holding)}`)
  output.finish({
    ...{ network: network.chainId, smartBalance: contract.address, complete: scanned !== undefined },
    ...setting,
    ...{ operators, settlers, attestors },
  })
}

const unique = (addresses: readonly Address[]): Address[] => [...new Set(addresses)]

function describeSetting(smartBalance: Address, setting: RoleSetting): string[] {
  const { owner, guardian, pendingOwner, verifier, threshold, attestorCount, pendingThreshold } = setting
  const pending = isAddressEqual(pendingOwner, zeroAddress) ? '' : `, offered to ${pendingOwner}`
  return [
    `SmartBalance ${smartBalance}, owner ${owner}${pending}`,
    isAddressEqual(guardian, zeroAddress) ? '  no guardian' : `  guardian ${guardian}`,
    `AttestorSet ${verifier}, ${threshold} of ${attestorCount} must agree`,
    ...(pendingThreshold
      ? [
          `  only ${pendingThreshold.threshold} must, from ${formatTime(pendingThreshold.readyAt)} on, if applied`,
        ]
      : []),
  ]
}

function describe({ role, address, active, readyAt }: Holding): string {
  const waits = readyAt === null ? '' : `, can be added from ${formatTime(readyAt)} on`
  return `${role.padEnd(9)} ${address} ${active ? 'has the role' : `has it NOT${waits}`}`
}
