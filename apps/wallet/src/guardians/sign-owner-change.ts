import {
  encodeWebAuthnSignature,
  type OwnerChange,
  type OwnershipContext,
  verifyOwnerChange,
} from '@lanyard/accounts'
import type { EndpointInput, endpoints } from '@lanyard/contracts'
import type { Address, Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { Network } from '../networks/use-networks.ts'
import { assertHash } from '../passkey/assert-hash.ts'
import type { Session } from '../sign-in/stored-session.ts'
import { requireKnownModule } from './known-module.ts'
import type { OwnershipStatus } from './use-ownership.ts'

type WantedChange = EndpointInput<typeof endpoints.ownership.prepare>['change']

/** The changes that this wallet makes, which need no owner's key. */
export type GuardianChange = Extract<OwnerChange, { kind: 'setGuardians' | 'cancel' | 'revokeSessions' }>

/**
 * Signs a change once for all networks with one touch of the passkey, and submits it. Everything that is signed is
 * recomputed here.
 *
 * @param status - as shown to the person: the change gets the sequence after it
 * @throws WalletError FOREIGN_MODULE, CALLS_DIFFER, HASH_DIFFERS; errors of the ceremony and the service
 */
export async function signOwnerChange(
  session: Session,
  change: GuardianChange,
  status: OwnershipStatus,
  networks: readonly Network[],
): Promise<OwnershipStatus> {
  const { account: walletAddress } = session
  const prepared = await trpc.ownership.prepare.mutate({ walletAddress, change: toWanted(change) })
  requireKnownModule(prepared.module, networks)
  const context: OwnershipContext = {
    module: prepared.module,
    account: walletAddress,
    sequence: sequenceAfter(status),
  }
  const verified = verifyOwnerChange(
    {
      sequence: BigInt(prepared.sequence),
      // The schema has `string` where viem has a template literal.
      kind: prepared.kind as Hex,
      data: prepared.data as Hex,
      messageToSign: prepared.messageToSign as Hex,
    },
    change,
    context,
  )
  if (!verified.ok) throw new WalletError(verified.code === 'OTHER_HASH' ? 'HASH_DIFFERS' : 'CALLS_DIFFER')

  const { credentialId, assertion } = await assertHash(session, verified.hash)
  const encoded = encodeWebAuthnSignature({
    hash: verified.hash,
    assertion,
    signer: await signerOf(walletAddress, credentialId),
  })
  if (!encoded.ok) throw new WalletError('NOT_VERIFIABLE')
  return trpc.ownership.submit.mutate({
    walletAddress,
    sequence: prepared.sequence,
    kind: prepared.kind,
    data: prepared.data,
    signature: encoded.signature,
  })
}

const toWanted = (change: GuardianChange): WantedChange =>
  change.kind === 'setGuardians'
    ? { kind: change.kind, guardians: { ...change.guardians, members: [...change.guardians.members] } }
    : change

/** After what any network has consumed, and after what is signed. */
export const sequenceAfter = ({ networks, changes }: OwnershipStatus): bigint =>
  [
    ...networks.flatMap(({ sequence }) => (sequence === undefined ? [] : [BigInt(sequence)])),
    ...changes.map(({ sequence }) => BigInt(sequence) + 1n),
  ].reduce((a, b) => (a > b ? a : b), 0n)

/** The owner's contract that verifies a passkey. A wrong one only makes the signature invalid. */
async function signerOf(walletAddress: Address, credentialId: string): Promise<Address> {
  const { networks } = await trpc.owner.list.query({ walletAddress })
  const owner = networks
    .flatMap(({ owners = [] }) => owners)
    .find((candidate) => candidate.credentialId === credentialId)
  if (!owner) throw new WalletError('NOT_VERIFIABLE')
  return owner.address
}
