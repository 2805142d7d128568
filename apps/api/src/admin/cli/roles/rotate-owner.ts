import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, isAddressEqual } from 'viem'
import { CliError } from '../cli-error.ts'
import type { SendOptions } from '../options.ts'
import { ownerKeyRejected } from '../owner.ts'
import { callOf, reach } from '../owner-command.ts'
import type { OwnerCall } from '../safe-batch.ts'
import type { OwnerSession } from '../smart-balance-session.ts'
import { readRoleSetting, roles } from './read-roles.ts'
import { assertGrantable } from './role-calls.ts'

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
export async function rotateOwner(
  session: OwnerSession,
  { to, dryRun }: SendOptions & { readonly to: Address },
) {
  const { owner, network } = session
  // It is one of two owners, so the check of the owner does not fit, but neither may be a key.
  if (owner.client && !network.config.local && !dryRun) throw ownerKeyRejected(network)
  const me = owner.account.address
  if (!isAddressEqual(me, to)) {
    const present = await readOwned(session)
    const external = present.find(({ owner }) => !isAddressEqual(owner, to) && !isAddressEqual(owner, me))
    if (external) {
      throw new CliError(
        'NOT_OWNER',
        `${external.name} belongs to ${external.owner}; DEPLOYER_PRIVATE_KEY is the key of ${me}.`,
      )
    }
    await assertNew(session, to)
  }
  return reach({
    read: () => readOwned(session),
    calls: (owned) => owned.flatMap((one) => nextCall(one, me, to) ?? []),
    left: (owned) => owned.flatMap((one) => leftToMove(one, to) ?? []),
    end: () => `Done: ${to} owns SmartBalance and AttestorSet.`,
    result: () => ({ role: 'owner', to }),
  })
}

async function assertNew(session: OwnerSession, to: Address): Promise<void> {
  const setting = await readRoleSetting(session)
  if (isAddressEqual(setting.owner, to)) return
  for (const role of roles) await assertGrantable(session, setting, role, [to])
}

async function readOwned(session: OwnerSession): Promise<Owned[]> {
  const { owner, pendingOwner, verifier, verifierOwner, verifierPendingOwner } =
    await readRoleSetting(session)
  return [
    { name: 'SmartBalance', address: session.contract.address, owner, pendingOwner },
    { name: 'AttestorSet', address: verifier, owner: verifierOwner, pendingOwner: verifierPendingOwner },
  ]
}

function nextCall(
  { name, address, owner, pendingOwner }: Owned,
  me: Address,
  to: Address,
): OwnerCall | undefined {
  if (isAddressEqual(owner, to)) return undefined
  // Both contracts have the same functions: Ownable2Step.
  const contract = { address, abi: smartBalanceAbi }
  const isOffered = isAddressEqual(pendingOwner, to)
  if (isAddressEqual(me, to))
    return isOffered ? callOf(contract, `accept ${name}`, 'acceptOwnership') : undefined
  return isOffered ? undefined : callOf(contract, `offer ${name} to ${to}`, 'transferOwnership', [to])
}

function leftToMove({ name, owner, pendingOwner }: Owned, to: Address): string | undefined {
  if (isAddressEqual(owner, to)) return undefined
  return isAddressEqual(pendingOwner, to)
    ? `${name} waits for ${to}: run this again with its key in DEPLOYER_PRIVATE_KEY.`
    : `${name} still has to be offered to ${to}: run this with the key of ${owner} in DEPLOYER_PRIVATE_KEY.`
}
