import { endpoints } from '@lanyard/contracts'
import type { Hash } from 'viem'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { sentBy } from '../../domain/accounts/callers/caller.ts'
import { findPasskeySigners } from '../../domain/accounts/owners/describe-owners.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { toAuthenticationResponse } from '../../domain/accounts/passkeys/authentication-response.ts'
import {
  findChallengedOperation,
  requireUnused,
} from '../../domain/accounts/passkeys/challenged-operation.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { findCredential, recordUse } from '../../domain/accounts/passkeys/credentials.ts'
import { encodeOwnerAssertion } from '../../domain/accounts/passkeys/encode-assertion.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { verificationFailed } from '../../domain/accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../../domain/accounts/passkeys/verify-assertion.ts'
import { passkey } from '../../domain/operations/signers/passkey.ts'
import { submitOperation } from '../../domain/operations/submit/submit-operation.ts'
import { implement } from '../../pipeline/implement.ts'

export const transactionVerify = implement(
  endpoints.webauthn.transactionVerify,
  async ({ username, ...body }, context) => {
    const { services } = context
    const { database, networks, operations } = services
    const { relyingParty } = context.project
    const now = services.now()
    const user = await requireNamedUser(database, username)
    const wallet = await findUserWallet(database, user.id)
    const response = toAuthenticationResponse(body)
    const credential = await findCredential(database, { id: response.id, userId: user.id })
    const expectedChallenge = readChallenge(response.response.clientDataJSON)
    const row = await findChallengedOperation(database, wallet.address, expectedChallenge)

    const network = networks.get(row.network)
    const { owners } = await readOwners(network, wallet)
    const [signer] = await findPasskeySigners(network, wallet, owners, [credential])
    if (!signer) throw verificationFailed(`the passkey does not own this wallet on ${network.config.name}.`)
    const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
    const signature = passkey.encode(row, encodeOwnerAssertion(hash, response, signer.contract))

    // The same assertion again is the same operation, regardless of the current counter.
    if (row.signature === signature) return submitOperation(operations, row, signature)
    requireUnused(row, now)
    const assertion = await verifyAssertion({ relyingParty, credential, expectedChallenge, response })
    // An assertion counts as used only together with its operation: a caller who received no answer can send
    // it again.
    return submitOperation(operations, sentBy(context, row), signature, (transaction) =>
      recordUse(transaction, credential.id, assertion, now),
    )
  },
)
