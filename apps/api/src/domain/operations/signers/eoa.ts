import { encodeSignature, stubSignature, toDelegatedAccount } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type Hex, hexToNumber, size, slice } from 'viem'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import { describeOwners } from '../../accounts/owners/describe-owners.ts'
import { readOwners } from '../../accounts/owners/read-owners.ts'
import { recogniseSignature } from './recognise-signature.ts'
import { type GivenSignature, type OperationSigner, ownerSigner, type Signer } from './signer.ts'

/** An EOA that owns the account. */
export const eoaSigner: OperationSigner = {
  ...ownerSigner,
  signMode: 'ECDSA',
  stubFor: async (_network, { validUntil }) => ({
    signature: stubSignature({ kind: 'eoa' }, { validUntil }),
    simulation: { stateOverride: [] },
    shortfall: { verification: 0n, preVerification: 0n },
  }),
}

/** r ‖ s ‖ v, in bytes. */
const ecdsaSize = 65

export const eoa: Signer = {
  signMode: 'ECDSA',
  unknown: 'No operation of this wallet matches. Build one first. A build can be signed for ten minutes.',
  ofFirstOwner: ({ owner }) => (owner.kind === 'eoa' ? eoaSigner : undefined),
  hasForm: (signature) => size(signature) === ecdsaSize,
  ofStub: async () => eoaSigner,
  split: splitSignature,
  recognise: (candidates, { wallet: { owner }, ownersOn, acceptsFirstOwner = false }, signature) =>
    recogniseSignature(
      candidates,
      {
        owner: acceptsFirstOwner && owner.kind === 'eoa' ? owner.address : undefined,
        laterOwners: ownersOn,
      },
      signature,
    ),
  encode: ({ valid_after: validAfter, valid_until: validUntil }, signatures) =>
    encodeSignature({ validAfter, validUntil, signatures }),
}

/** Bytes of uint48 validAfter and uint48 validUntil (Safe4337Module), before an ECDSA signature. */
const validityBytes = 12

/**
 * A signature in the forms that SDKs of Safe accounts produce: only the owner's 65 bytes, or with the
 * operation's validity in front (77 bytes), as in `userOp.signature`.
 */
export function splitSignature(signature: Hex): GivenSignature {
  if (size(signature) !== validityBytes + ecdsaSize) return { signature }
  return {
    signature: slice(signature, validityBytes),
    validity: {
      validAfter: hexToNumber(slice(signature, 0, 6)),
      validUntil: hexToNumber(slice(signature, 6, validityBytes)),
    },
  }
}

/** Any delegated account: what follows does not depend on the address. */
const anyDelegated = toDelegatedAccount('0x0000000000000000000000000000000000007702')

/** An EOA that is the account itself. Its signature has no validity: it holds until its nonce is used. */
const delegatedEoaSigner: OperationSigner = {
  ...ownerSigner,
  signMode: 'ECDSA',
  validityOf: () => ({ validAfter: 0, validUntil: 0 }),
  stubFor: async () => ({
    signature: anyDelegated.stubSignature({}),
    simulation: { stateOverride: [] },
    shortfall: { verification: 0n, preVerification: 0n },
  }),
}

/** v of a signature by `personal_sign`, as Safes tell it from others. */
const firstPersonal = 31

export const delegatedEoa: Signer = {
  signMode: 'ECDSA',
  unknown: 'No operation of this account matches. Build one first. A build can be signed for ten minutes.',
  ofFirstOwner: () => delegatedEoaSigner,
  async recognise(candidates, { wallet }, signature) {
    const found = await recogniseSignature(candidates, { owner: wallet.address }, signature)
    if (Number.parseInt(found.ownerSignature.slice(-2), 16) < firstPersonal) return found
    throw new LanyardError('SIGNATURE_BY_PERSONAL_SIGN')
  },
  encode: (_row, signature) => signature,
}

/**
 * The endpoints of EOA accounts take an EOA's signature: from the EOA that the account was created with, or
 * from one that was added on this network. A passkey signs in a ceremony instead.
 *
 * @throws UNSUPPORTED_SIGNATURE_TYPE naming the endpoints to use instead
 */
export async function requireEoaSigner(network: Network, wallet: AnyWallet): Promise<void> {
  if (await hasEoaSigner(network, wallet)) return
  throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
    message: `Only a passkey owns this wallet on ${network.config.name}. Use /v3/webauthn/transaction/generate-options and /v3/webauthn/transaction/verify.`,
  })
}

/**
 * Whether an EOA can sign for an account on a network.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function hasEoaSigner(network: Network, wallet: AnyWallet): Promise<boolean> {
  if (wallet.owner.kind === 'eoa') return true
  const { owners } = await readOwners(network, wallet)
  const described = await describeOwners(network, wallet, owners, [])
  return described.some(({ kind }) => kind === 'eoa')
}
