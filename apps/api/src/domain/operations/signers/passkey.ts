import { computeSignerAddress, encodeSignature, stubSignature } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { findAccount } from '@lanyard/database'
import { type Address, getAddress, type Hash, type Hex, isAddressEqual, numberToHex } from 'viem'
import { isContractAccount } from '../../accounts/accounts/wallet.ts'
import { toPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { listCredentials } from '../../accounts/passkeys/credentials.ts'
import {
  isPasskeySignature,
  parseContractSignature,
} from '../../accounts/passkeys/verify-contract-signature.ts'
import { type OperationSigner, ownerSigner, type Signer, type SigningAccount } from './signer.ts'

/** Code that returns 1 in 32 bytes for every call: PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const answersOne: Hex = '0x60015f5260205ff3'

/**
 * Gas. The Solidity verifier needs about 400,000 for the costliest signature, and the surrounding code needs
 * some more. A stub may cost less.
 */
const solidityVerifierFloor = 500_000n

interface PasskeyOwner {
  /** The owner that represents the passkey on chain: the shared signer, or the passkey's own. */
  readonly contract: Address
  /** uint176, packed: precompile ‖ fallback verifier. */
  readonly verifiers: bigint
}

/**
 * A passkey that owns the account through its signer contract.
 *
 * On a chain with the P-256 precompile, the precompile accepts a real signature. A stub is invalid, so
 * verification would continue in the fallback verifier in Solidity and cost 50 times as much. The simulation
 * therefore replaces the fallback's code with code that accepts everything.
 */
export const passkeySigner = ({ contract, verifiers }: PasskeyOwner): OperationSigner => ({
  ...ownerSigner,
  signMode: 'WEBAUTHN',
  async stubFor(network, { validUntil }) {
    const signature = stubSignature({ kind: 'passkey' }, { signer: contract, validUntil })
    const simulation = (await network.hasP256Precompile())
      ? { stateOverride: [{ address: fallbackVerifier(verifiers), code: answersOne }] }
      : { stateOverride: [], verificationGasFloor: solidityVerifierFloor }
    return { signature, simulation, shortfall: { verification: 0n, preVerification: 0n } }
  },
})

/** The lower 160 bits: `P256.Verifiers` in Safe's passkey module. */
const fallbackVerifier = (verifiers: bigint): Address =>
  getAddress(numberToHex(verifiers & (2n ** 160n - 1n), { size: 20 }))

export const passkey: Signer = {
  signMode: 'WEBAUTHN',
  unknown: 'No operation of this wallet matches. Build one first.',
  ofFirstOwner: (wallet) =>
    wallet.owner.kind === 'passkey' && isContractAccount(wallet)
      ? passkeySigner({ contract: wallet.deployment.sharedSigner, verifiers: wallet.owner.verifiers })
      : undefined,
  hasForm: (signature) => parseContractSignature(signature) !== undefined,
  async ofStub(account, stub) {
    const contract = parseContractSignature(stub)?.signer
    const key = contract && (await findPasskey(account, contract))
    return key && passkeySigner({ contract, verifiers: key.verifiers })
  },
  async recognise(candidates, account, signature) {
    const made = parseContractSignature(signature)
    const key = made && (await findPasskey(account, made.signer))
    if (key)
      for await (const row of candidates) {
        const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
        const owners = await account.ownersOn(row.network)
        const owner = owners.find((address) => isAddressEqual(address, made.signer))
        if (owner && isPasskeySignature(hash, made.data, key))
          return { row, ownerSignature: signature, owner }
      }
    throw new LanyardError('INVALID_SIGNATURE', {
      message: 'AA24 signature error: no owner of this account made this signature.',
    })
  },
  encode: ({ valid_after: validAfter, valid_until: validUntil }, signatures) =>
    encodeSignature({ validAfter, validUntil, signatures }),
}

/** The passkey of a signer contract: the first owner, or another passkey of the wallet's user. */
async function findPasskey({ database, wallet }: SigningAccount, signer: Address) {
  if (!isContractAccount(wallet)) return undefined
  const { address, owner, deployment } = wallet
  if (isAddressEqual(signer, deployment.sharedSigner)) return owner.kind === 'passkey' ? owner : undefined
  const account = await findAccount(database, address)
  if (!account) return undefined // an EOA's account that is not registered
  const credentials = await listCredentials(database, account.user_id)
  return credentials
    .map(toPasskeyOwner)
    .find((key) => isAddressEqual(computeSignerAddress(key, deployment), signer))
}
