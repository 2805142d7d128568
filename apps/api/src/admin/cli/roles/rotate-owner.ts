import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import type { SendOptions } from '../options.ts'
import { ownerKeyRejected } from '../owner.ts'
import type { OwnerCall } from '../send-as-owner.ts'
import { openAsOwner } from '../smart-balance-session.ts'
import { assertGrantable } from './assert-grantable.ts'
import { type RoleSetting, readRoleSetting } from './read-roles.ts'

interface Owned {
  readonly name: string
  readonly address: Address
  readonly owner: Address
  readonly pendingOwner: Address
}

/**
 * Ownable2Step: the old owner offers, the new one accepts. SmartBalance and AttestorSet change owners
 * together.
 */
export async function rotateOwner(options: SendOptions & { readonly to: Address }): Promise<void> {
  const { to, dryRun } = options
  const session = await openAsOwner(options, { caller: 'anyone' })
  const { owner, network } = session
  // It is one of two owners, so the check of the owner does not fit, but neither may be a key.
  if (owner.client && !network.config.local && !dryRun) throw ownerKeyRejected(network)
  const me = owner.account.address
  let owned = contractsOf(session.contract.address, await readRoleSetting(session))
  const external = owned.find(({ owner }) => !isAddressEqual(owner, to) && !isAddressEqual(owner, me))
  if (external && !isAddressEqual(me, to)) {
    throw new CliError(
      'NOT_OWNER',
      `${external.name} belongs to ${external.owner}; DEPLOYER_PRIVATE_KEY is the key of ${me}.`,
    )
  }
  if (!isAddressEqual(me, to)) await assertNew(session, to)
  const sent = await session.send(owned.flatMap((one) => nextCall(one, me, to) ?? []))
  if (!dryRun) owned = contractsOf(session.contract.address, await readRoleSetting(session))
  const left = owned.flatMap((one) => leftToMove(one, to) ?? [])
  for (const line of left) session.output.say(`Left to do: ${line}`)
  if (left.length === 0) session.output.say(`Done: ${to} owns SmartBalance and AttestorSet.`)
  session.finish({ role: 'owner', to, sent, left })
  if (left.length > 0 && !dryRun) throw new CommandEnd(exitCodes.unfinished)
}

async function assertNew(session: Parameters<typeof readRoleSetting>[0], to: Address): Promise<void> {
  const setting = await readRoleSetting(session)
  if (isAddressEqual(setting.owner, to)) return
  for (const role of ['operator', 'settler', 'attestor'] as const)
    await assertGrantable(session, setting, role, [to])
}

const contractsOf = (smartBalance: Address, setting: RoleSetting): Owned[] => [
  { name: 'SmartBalance', address: smartBalance, owner: setting.owner, pendingOwner: setting.pendingOwner },
  {
    name: 'AttestorSet',
    address: setting.verifier,
    owner: setting.verifierOwner,
    pendingOwner: setting.verifierPendingOwner,
  },
]

function nextCall(
  { name, address, owner, pendingOwner }: Owned,
  me: Address,
  to: Address,
): OwnerCall | undefined {
  if (isAddressEqual(owner, to)) return undefined
  // Both contracts have the same functions: Ownable2Step.
  const abi = smartBalanceAbi
  if (isAddressEqual(me, to)) {
    if (!isAddressEqual(pendingOwner, to)) return undefined
    const data = encodeFunctionData({ abi, functionName: 'acceptOwnership' })
    return { description: `accept ${name}`, to: address, data }
  }
  if (isAddressEqual(pendingOwner, to)) return undefined
  const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [to] })
  return { description: `offer ${name} to ${to}`, to: address, data }
}

function leftToMove({ name, owner, pendingOwner }: Owned, to: Address): string | undefined {
  if (isAddressEqual(owner, to)) return undefined
  return isAddressEqual(pendingOwner, to)
    ? `${name} waits for ${to}: run this again with its key in DEPLOYER_PRIVATE_KEY.`
    : `${name} still has to be offered to ${to}: run this with the key of ${owner} in DEPLOYER_PRIVATE_KEY.`
}
