import type { AccountOwner, Call, EoaOwner, PasskeyOwner } from '@lanyard/accounts'
import type { EndpointInput, EndpointOutput, endpoints } from '@lanyard/contracts'
import type { ComponentType } from 'react'
import type { Hex } from 'viem'

/** An owner as the service lists it. */
export type ListedOwner = NonNullable<
  EndpointOutput<typeof endpoints.owner.list>['networks'][number]['owners']
>[number]

/** The owner to be added. For a passkey, the key as this browser saw it at registration. */
export type OwnerCandidate = KeyCandidate | PasskeyCandidate

export interface KeyCandidate extends EoaOwner {
  /** The key's signature that it may own the account; undefined for a contract. */
  readonly consent?: Hex | undefined
}

export interface PasskeyCandidate extends PasskeyOwner {
  readonly credentialId: string
}

export interface OwnerAddition {
  readonly kind: 'add'
  readonly candidate: OwnerCandidate
}

/** A candidate as this tab stores it: only identifiers. */
export interface StoredCandidate {
  /** The owner's address. Empty for a new passkey, which is identified by its credential. */
  readonly address: string
  readonly credentialId: string
  /** The signature of an added key. */
  readonly consent?: string
}

type RequestedChange = EndpointInput<typeof endpoints.ownership.prepare>['change']

/** An owner as requests name it. */
type NamedOwner = Extract<RequestedChange, { kind: 'removeOwner' }>['owner']

/** One of the ways to add an owner of a kind. */
interface SignerAddition {
  readonly value: string
  readonly label: string
  /** Asks the person for the owner and for its consent. */
  readonly Form: ComponentType<{ readonly onChange: (change: OwnerAddition) => void }>
}

/**
 * A kind of owner that signs alone: how the wallet shows one, adds one, and names one in requests. Each kind is one file or folder
 * here, and one line in `signer-kinds.ts`.
 */
export interface SignerKind<
  Candidate extends OwnerCandidate = OwnerCandidate,
  Owner extends AccountOwner = AccountOwner,
> {
  /** As the service names it. */
  readonly kind: string
  /** What an owner without a name of its own is called. */
  readonly label: string
  /** Whether this wallet signs with such an owner. */
  readonly signsHere: boolean
  /** The warning before the last owner of this kind leaves. */
  readonly lastOne?: { readonly title: string; readonly text: string }
  readonly additions: readonly SignerAddition[]
  /** Undefined for an owner that this browser cannot verify before it is added on another network. */
  toCandidate(owner: Pick<ListedOwner, 'address' | 'credentialId'>): Candidate | undefined
  store(candidate: Candidate): StoredCandidate
  /** Undefined if it stored another kind, or what identifies it is no longer known. */
  readStored(stored: StoredCandidate): Candidate | undefined
  /** How a request to add it names it. */
  toRequest(candidate: Candidate): Omit<EndpointInput<typeof endpoints.owner.add>, 'walletAddress'>
  /** How a change that is signed once names it. @param consent - the signature of an added key */
  nameOwner(owner: Owner, consent?: Hex): NamedOwner
  /** The call without which it is no owner yet. */
  creation?(candidate: Candidate): Call
}
