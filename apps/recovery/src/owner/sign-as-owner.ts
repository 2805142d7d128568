import { encodeWebAuthnSignature, recoverOwnerSignature, type WebAuthnAssertion } from '@lanyard/accounts'
import { erc1271Abi } from '@lanyard/onchain'
import {
  type Address,
  type Hash,
  type Hex,
  hashTypedData,
  isAddressEqual,
  type PublicClient,
  slice,
  type TypedDataDefinition,
} from 'viem'
import type { AccountState } from '../account/read-account.ts'
import { RecoveryError } from '../recovery-error.ts'
import type { EoaSigner, OwnerSigner, PasskeySigner } from './owner-signer.ts'

/** Magic value of ERC-1271 for a valid signature. */
const isTheirs = '0x1626ba7e'

/** Offset of the contract's own data in the result of `encodeContractSignature`: 32 + 32 + 1 + 32 bytes. */
const dataOffset = 97

export interface SignAsOwnerParameters {
  readonly client: PublicClient
  readonly account: Address
  readonly state: AccountState
  readonly signer: OwnerSigner
  /** The message that the account's contract asks its owners to sign. */
  readonly message: TypedDataDefinition
}

/**
 * Creates one owner's signature in the format of a Safe.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION
 */
export function signAsOwner(parameters: SignAsOwnerParameters): Promise<Hex> {
  const { signer } = parameters
  return signer.kind === 'eoa' ? signAsEoa(parameters, signer) : signAsPasskey(parameters, signer)
}

async function signAsEoa({ state, message }: SignAsOwnerParameters, signer: EoaSigner): Promise<Hex> {
  if (!state.eoas.some((owner) => isAddressEqual(owner, signer.address))) {
    const owners = state.eoas.length > 0 ? state.eoas.join(', ') : 'none'
    throw new RecoveryError(
      'NOT_AN_OWNER',
      `${signer.address} is not an owner of the account on this network. The addresses that are: ${owners}.`,
    )
  }
  const hash = hashTypedData(message)
  const recovered = await recoverOwnerSignature({
    hash,
    owner: signer.address,
    signature: await signer.signTypedData(message),
  })
  if (recovered.ok) return recovered.signature
  throw new RecoveryError('NOT_AN_OWNER', recovered.message)
}

async function signAsPasskey(parameters: SignAsOwnerParameters, signer: PasskeySigner): Promise<Hex> {
  const { client, account, state, message } = parameters
  if (state.contracts.length === 0) {
    throw new RecoveryError('NOT_AN_OWNER', 'No passkey owns the account on this network.')
  }
  const hash = hashTypedData(message)
  const assertion = await signer.assert(hash)
  // The kit does not say which owner contract belongs to this passkey. Each contract recognizes its own
  // signature.
  for (const contract of state.contracts) {
    const signature = encodeFor(contract, hash, assertion)
    // Not deployed: the first passkey is the only possible owner, and its key is not on this chain yet.
    if (!state.deployed || (await recognises(client, account, contract, hash, signature))) return signature
  }
  throw new RecoveryError('NOT_AN_OWNER', 'This passkey is not an owner of the account on this network.')
}

function encodeFor(signer: Address, hash: Hash, assertion: WebAuthnAssertion): Hex {
  const encoded = encodeWebAuthnSignature({ hash, assertion, signer })
  if (encoded.ok) return encoded.signature
  throw new RecoveryError('UNUSABLE_ASSERTION', encoded.message)
}

async function recognises(
  client: PublicClient,
  account: Address,
  contract: Address,
  hash: Hash,
  signature: Hex,
): Promise<boolean> {
  try {
    const answer = await client.readContract({
      account, // the shared signer looks up the public key by its caller
      address: contract,
      abi: erc1271Abi,
      functionName: 'isValidSignature',
      args: [hash, slice(signature, dataOffset)],
    })
    return answer === isTheirs
  } catch {
    return false // this owner is not a passkey signer
  }
}
