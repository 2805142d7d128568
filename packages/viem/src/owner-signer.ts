import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  computeSignerAddress,
  encodeWebAuthnSignature,
  type PasskeyOwner,
  recoverOwnerSignature,
  toOwner,
} from '@lanyard/accounts'
import {
  type Account,
  type Address,
  type Chain,
  type Hex,
  hashTypedData,
  hexToBigInt,
  isAddressEqual,
  type LocalAccount,
  size,
  slice,
  stringToHex,
  type Transport,
  type TypedDataDefinition,
  type WalletClient,
} from 'viem'
import type { WebAuthnAccount } from 'viem/account-abstraction'
import { signTypedData } from 'viem/actions'
import { SigningError } from './signing-error.ts'

/** The owner that signs for the account: a key, a wallet with an account, or a passkey. */
export type LanyardOwner =
  | LocalAccount
  | WalletClient<Transport, Chain | undefined, Account | undefined>
  | WebAuthnAccount

/** The interface through which the account uses an owner. */
export interface OwnerSigner {
  readonly owner: AccountOwner
  /**
   * Signs EIP-712 typed data in the format of `Safe.checkSignatures`.
   *
   * @param account - the account that verifies the signature
   * @throws SigningError
   */
  sign(typedData: TypedDataDefinition, account: Address): Promise<Hex>
  /** For a passkey, the contract that verifies its signatures for `account`. Otherwise undefined. */
  signerOf(account: Address): Address | undefined
}

/** @throws SigningError NO_OWNER; AccountsError NOT_ON_CURVE */
export function toOwnerSigner(owner: LanyardOwner, deployment: AccountDeployment): OwnerSigner {
  if (isPasskey(owner)) return passkeySigner(owner, deployment)
  return eoaSigner(owner)
}

const isPasskey = (owner: LanyardOwner): owner is WebAuthnAccount => owner.type === 'webAuthn'
const isLocal = (owner: LanyardOwner): owner is LocalAccount => owner.type === 'local'

function eoaSigner(owner: Exclude<LanyardOwner, WebAuthnAccount>): OwnerSigner {
  const account = isLocal(owner) ? owner : owner.account
  if (account === undefined) throw new SigningError('NO_OWNER', 'The wallet client has no account.')
  const { address } = account
  return {
    owner: toOwner({ address }),
    signerOf: () => undefined,
    async sign(typedData) {
      // Typed data, so that a wallet can show its content.
      const signature = isLocal(owner)
        ? await owner.signTypedData(typedData)
        : await signTypedData(owner, { ...typedData, account })
      // Some wallets return v as 0 or 1, which a Safe rejects.
      const encoded = await recoverOwnerSignature({
        hash: hashTypedData(typedData),
        owner: address,
        signature,
      })
      if (!encoded.ok) throw new SigningError(encoded.code, encoded.message)
      return encoded.signature
    },
  }
}

function passkeySigner(passkey: WebAuthnAccount, deployment: AccountDeployment): OwnerSigner {
  const owner = toPasskeyOwner(passkey)
  const first = computeAccountAddress(owner, deployment)
  const signerOf = (account: Address) =>
    isAddressEqual(account, first) ? deployment.sharedSigner : computeSignerAddress(owner, deployment)
  return {
    owner,
    signerOf,
    async sign(typedData, account) {
      const hash = hashTypedData(typedData)
      const { signature, webauthn } = await passkey.sign({ hash })
      const { authenticatorData, clientDataJSON } = webauthn
      const encoded = encodeWebAuthnSignature({
        hash,
        assertion: {
          authenticatorData,
          clientDataJSON: stringToHex(clientDataJSON),
          signature: { r: hexToBigInt(slice(signature, 0, 32)), s: hexToBigInt(slice(signature, 32, 64)) },
        },
        signer: signerOf(account),
      })
      if (!encoded.ok) throw new SigningError(encoded.code, encoded.message)
      return encoded.signature
    },
  }
}

/** viem's public key is x ‖ y, with or without the 0x04 prefix. */
function toPasskeyOwner({ publicKey }: WebAuthnAccount): PasskeyOwner {
  const point = size(publicKey) === 65 ? slice(publicKey, 1) : publicKey
  return toOwner({ x: slice(point, 0, 32), y: slice(point, 32, 64) })
}
