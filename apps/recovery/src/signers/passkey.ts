import { encodeWebAuthnSignature, type WebAuthnAssertion } from '@lanyard/accounts'
import { erc1271Abi } from '@lanyard/onchain'
import { type Address, type Hash, type Hex, hashTypedData, type PublicClient, slice } from 'viem'
import { RecoveryError } from '../recovery-error.ts'
import type { OwnerSigner } from './owner-signer.ts'

/** Magic value of ERC-1271 for a valid signature. */
const isTheirs = '0x1626ba7e'

/** Offset of the contract's own data in the result of `encodeContractSignature`: 32 + 32 + 1 + 32 bytes. */
const dataOffset = 97

/** @param assert - runs one WebAuthn ceremony with the hash as its challenge */
export const passkeySigner = (assert: (hash: Hash) => Promise<WebAuthnAssertion>): OwnerSigner => ({
  kind: 'passkey',
  // The Solidity verifier of P-256 takes 350k on a chain without the precompile.
  verificationGas: 600_000n,
  async sign({ client, account, state, message }) {
    if (state.contracts.length === 0)
      throw new RecoveryError('NOT_AN_OWNER', 'No passkey owns the account on this network.')
    const hash = hashTypedData(message)
    const assertion = await assert(hash)
    // The kit does not say which owner contract belongs to this passkey. Each contract recognizes its own
    // signature.
    for (const contract of state.contracts) {
      const signature = encodeFor(contract, hash, assertion)
      // Not deployed: the first passkey is the only possible owner, and its key is not on this chain yet.
      if (!state.deployed || (await recognises(client, account, contract, hash, signature))) return signature
    }
    throw new RecoveryError('NOT_AN_OWNER', 'This passkey is not an owner of the account on this network.')
  },
})

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
