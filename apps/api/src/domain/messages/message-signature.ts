import { type EndpointResult, type endpoints, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import {
  type Address,
  BaseError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hash,
  type Hex,
} from 'viem'
import { currentMeter } from '../../platform/log/current-request.ts'
import { type AnyWallet, accountOf, requireDeployable } from '../accounts/accounts/wallet.ts'
import type { OperationFeatures } from '../operations/dependencies.ts'
import { eoa } from '../operations/signers/eoa.ts'
import { onlySigner, signerOfForm } from '../operations/signers/find-signer.ts'
import type { SigningAccount } from '../operations/signers/signer.ts'
import type { MessageHashes } from './account-message.ts'

/** Gas of one check: it deploys an account with a passkey and verifies its signature several times over. */
const maxGas = 10_000_000n

/** What a check by a deployed account is charged: an owner that is a contract may use as much. */
const usualGas = 3_000_000n

/** The end of a signature that brings calls of its own (ERC-6492). */
const wrappedEnd = '6492'.repeat(16)

/**
 * Whether a verifier accepts a signature of an account, in either form. ERC-6492's validator runs in one
 * `eth_call` without being deployed.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function isValidSignature(
  network: Network,
  account: Address,
  messageHash: Hash,
  signature: Hex,
): Promise<boolean> {
  currentMeter()?.addGas(signature.endsWith(wrappedEnd) ? maxGas : usualGas)
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [account, messageHash, signature],
  })
  try {
    const answer = await network.call((client) => client.call({ data, gas: maxGas }))
    return answer.data === '0x01'
  } catch (error) {
    // Only reverts reach this point as viem errors: a Safe reverts on a bad signature, and the validator
    // reverts with it.
    if (error instanceof BaseError) return false
    throw error
  }
}

/** An owner's signature of a message, as `Safe.checkSignatures` takes it. */
interface OwnerMessageSignature {
  readonly messageHash: Hash
  readonly owner: Address
  readonly signature: Hex
  /** Whether the account is deployed on the network. */
  readonly deployed: boolean
}

/**
 * Converts an owner's signature to the account's signature, in the form that verifiers accept at present. It
 * is verified before it is returned: on a network that cannot verify passkeys, a well-formed signature would
 * be useless.
 *
 * @throws INVALID_SIGNATURE, ACCOUNT_NOT_ON_NETWORK, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function toAccountSignature(
  network: Network,
  wallet: AnyWallet,
  { messageHash, owner, signature: made, deployed }: OwnerMessageSignature,
): Promise<EndpointResult<typeof endpoints.message.finish>> {
  const { address } = wallet
  if (!deployed) requireDeployable(network, wallet)
  const signature = accountOf(wallet).encodeMessageSignature(made, { deployed })
  if (!(await isValidSignature(network, address, messageHash, signature))) {
    throw new LanyardError('INVALID_SIGNATURE', {
      message: `The account does not accept this signature on ${network.config.name}.`,
    })
  }
  return { signature, form: deployed ? 'ERC1271' : signature === made ? 'EOA' : 'ERC6492', owner }
}

interface SignedMessage extends MessageHashes {
  readonly network: number
  readonly signature: Hex
  /** The owners on all networks; called only when no owner on `network` signed. */
  readonly ownersAnywhere: () => Promise<readonly Address[]>
}

/** An owner and its signature as `Safe.checkSignatures` takes it. */
interface RecoveredOwner {
  readonly owner: Address
  readonly signature: Hex
}

/**
 * Recovers the owner of a wallet that signed a message.
 *
 * @throws SIGNATURE_OVER_MESSAGE for an owner's own signature over the message; OWNER_NOT_HERE for an owner
 * on another network only; INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE;
 * NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recoverMessageOwner(
  features: Pick<OperationFeatures, 'signers'>,
  account: SigningAccount,
  { messageHash, messageToSign, network, signature, ownersAnywhere }: SignedMessage,
): Promise<RecoveredOwner> {
  const signer = onlySigner(account.wallet) ?? signerOfForm(features, signature) ?? eoa // explains what is wrong with any other signature
  async function recover(
    hash: Hash,
    ownersOn: SigningAccount['ownersOn'],
  ): Promise<RecoveredOwner | LanyardError> {
    try {
      const candidate = { network, safe_op_hash: hash }
      const { owner, ownerSignature } = await signer.recognise(
        [candidate],
        { ...account, ownersOn },
        signature,
      )
      return owner ? { owner, signature: ownerSignature } : new LanyardError('INVALID_SIGNATURE')
    } catch (error) {
      if (error instanceof LanyardError && error.code === 'INVALID_SIGNATURE') return error
      throw error
    }
  }
  const recovered = await recover(messageToSign, account.ownersOn)
  if ('owner' in recovered) return recovered
  const anywhere = await ownersAnywhere()
  const overMessage = await recover(messageHash, async () => anywhere)
  if ('owner' in overMessage) throw new LanyardError('SIGNATURE_OVER_MESSAGE')
  const absent = await recover(messageToSign, async () => anywhere)
  if ('owner' in absent) throw new LanyardError('OWNER_NOT_HERE', { details: { owner: absent.owner } })
  throw recovered
}
