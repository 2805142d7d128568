import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { findPasskeySigners } from '../../domain/accounts/owners/describe-owners.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { toAuthenticationResponse } from '../../domain/accounts/passkeys/authentication-response.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { findCredential } from '../../domain/accounts/passkeys/credentials.ts'
import { encodeOwnerAssertion } from '../../domain/accounts/passkeys/encode-assertion.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { verificationFailed } from '../../domain/accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../../domain/accounts/passkeys/verify-assertion.ts'
import { hashMessageFor, toMessageChallenge } from '../../domain/messages/account-message.ts'
import { toAccountSignature } from '../../domain/messages/message-signature.ts'
import { implement } from '../../pipeline/implement.ts'

export const messageVerify = implement(
  endpoints.webauthn.messageVerify,
  async ({ username, network: chainId, message, rawMessage, typedData, ...body }, { services, project }) => {
    const { database, networks } = services
    const { relyingParty } = project
    const network = networks.get(chainId)
    const user = await requireNamedUser(database, username)
    const wallet = await findUserWallet(database, user.id)
    const { messageHash, messageToSign } = await hashMessageFor(wallet, network, {
      message,
      rawMessage,
      typedData,
    })
    const response = toAuthenticationResponse(body)
    const credential = await findCredential(database, { id: response.id, userId: user.id })
    const expectedChallenge = toMessageChallenge(messageToSign)
    if (readChallenge(response.response.clientDataJSON) !== expectedChallenge)
      throw verificationFailed('its challenge does not match this message on this network.')
    // The counter is not recorded: repeating the assertion gives the same signature and grants no access.
    await verifyAssertion({ relyingParty, credential, expectedChallenge, response })

    const { deployed, owners } = await readOwners(network, wallet)
    const [signer] = await findPasskeySigners(network, wallet, owners, [credential])
    if (!signer) throw new LanyardError('OWNER_NOT_HERE')
    const signature = encodeOwnerAssertion(messageToSign, response, signer.contract)
    return toAccountSignature(network, wallet, { messageHash, owner: signer.contract, signature, deployed })
  },
)
