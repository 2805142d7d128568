import {
  type AccountOwner,
  encodeWebAuthnSignature,
  type OwnerChange,
  type OwnershipContext,
  verifyOwnerChange,
} from '@lanyard/accounts'
import type { EndpointInput, endpoints } from '@lanyard/contracts'
import type { Address, Hex } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { requireKnownModule } from '../networks/known-module.ts'
import type { Network } from '../networks/use-networks.ts'
import { assertHash } from '../passkey/assert-hash.ts'
import { signerKindOf } from '../signers/signer-kinds.ts'
import type { OwnershipStatus } from './use-ownership.ts'

type RequestedChange = EndpointInput<typeof endpoints.ownership.prepare>['change']

/** The changes that this wallet makes: an account keeps its threshold of 1. */
export type SignableChange = Exclude<OwnerChange, { kind: 'setThreshold' }>

/**
 * Signs a change once for all networks with one touch of the passkey, and submits it. Everything that is signed is
 * recomputed here.
 *
 * @param status - as shown to the person: the change gets the sequence after it
 * @param consent - the signature of an added key
 * @throws WalletError FOREIGN_MODULE, CALLS_DIFFER, HASH_DIFFERS; errors of the ceremony and the service
 */
export async function signOwnerChange(
  session: Session,
  change: SignableChange,
  status: OwnershipStatus,
  networks: readonly Network[],
  consent?: Hex,
): Promise<OwnershipStatus> {
  const { account: walletAddress } = session
  const prepared = await trpc.ownership.prepare.mutate({
    walletAddress,
    change: toRequested(change, consent),
  })
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

function toRequested(change: SignableChange, signature: Hex | undefined): RequestedChange {
  const added = (owner: AccountOwner) => signerKindOf(owner).nameOwner(owner, signature)
  switch (change.kind) {
    case 'addOwner':
      return { kind: change.kind, owner: added(change.owner) }
    case 'removeOwner':
      return { kind: change.kind, owner: named(change.owner) }
    case 'replaceOwner':
      return { kind: change.kind, old: named(change.old), added: added(change.added) }
    case 'setGuardians':
      return { kind: change.kind, guardians: { ...change.guardians, members: [...change.guardians.members] } }
    default:
      return change
  }
}

const named = (owner: AccountOwner) => signerKindOf(owner).nameOwner(owner)

/** After what any network has consumed, and after what is signed. */
export const sequenceAfter = ({ networks, changes }: OwnershipStatus): bigint =>
  [
    ...networks.flatMap(({ sequence }) => (sequence === undefined ? [] : [BigInt(sequence)])),
    ...changes.map(({ sequence }) => BigInt(sequence) + 1n),
  ].reduce((a, b) => (a > b ? a : b), 0n)

/**
 * The owner's contract that verifies a passkey, on most networks: a first passkey may have another one where it was added again. A
 * wrong one only makes the signature invalid.
 */
async function signerOf(walletAddress: Address, credentialId: string): Promise<Address> {
  const { networks } = await trpc.owner.list.query({ walletAddress })
  const signers = networks
    .flatMap(({ owners = [] }) => owners)
    .filter((candidate) => candidate.credentialId === credentialId)
    .map(({ address }) => address)
  const count = (address: Address) => signers.filter((signer) => signer === address).length
  const [signer] = signers.toSorted((a, b) => count(b) - count(a))
  if (!signer) throw new WalletError('NOT_VERIFIABLE')
  return signer
}
