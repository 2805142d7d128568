import { type EndpointResult, type endpoints, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Address, Hash, Hex } from 'viem'
import { type AnyWallet, accountOf } from '../accounts/accounts/wallet.ts'
import { isValidSignature } from './is-valid-signature.ts'

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
 * @throws INVALID_SIGNATURE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function toAccountSignature(
  network: Network,
  wallet: AnyWallet,
  { messageHash, owner, signature: made, deployed }: OwnerMessageSignature,
): Promise<EndpointResult<typeof endpoints.message.finish>> {
  const { address } = wallet
  const signature = accountOf(wallet).encodeMessageSignature(made, { deployed })
  if (!(await isValidSignature(network, address, messageHash, signature))) {
    throw new LanyardError('INVALID_SIGNATURE', {
      message: `The account does not accept this signature on ${network.config.name}.`,
    })
  }
  return { signature, form: deployed ? 'ERC1271' : signature === made ? 'EOA' : 'ERC6492', owner }
}
