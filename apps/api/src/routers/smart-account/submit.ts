import { encodeSignature } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { builderOf, sentBy } from '../../domain/accounts/callers/caller.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { findSignedOperation } from '../../domain/operations/submit/find-signed-operation.ts'
import { splitSignature } from '../../domain/operations/submit/split-signature.ts'
import { submitOperation } from '../../domain/operations/submit/submit-operation.ts'
import { findSessionOperation } from '../../domain/session-keys/find-session-operation.ts'
import { toSessionSignature } from '../../domain/session-keys/recognise-session-signature.ts'
import { implement } from '../../pipeline/implement.ts'
import { searchBudgetOf } from '../../pipeline/rate-limits/search-budget.ts'

export const submit = implement(endpoints.smartAccount.submit, async (input, context) => {
  const { services } = context
  if (input.network !== undefined) services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const name = {
    userOpHash: input.userOpHash,
    network: input.network,
    nonce: input.userOp === undefined ? undefined : BigInt(input.userOp.nonce),
  }
  const search = {
    builtBy: await builderOf(context, wallet),
    budget: searchBudgetOf(context),
    now: services.now(),
  }
  if (input.signatureType === 'SESSION_KEY') {
    const found = await findSessionOperation(services.database, wallet.address, input.signature, name, search)
    return submitOperation(services.operations, sentBy(context, found.row), toSessionSignature(found))
  }
  const { signature: given, validity } = splitSignature(input.signature)
  const { row, ownerSignature } = await findSignedOperation(
    services.database,
    {
      address: wallet.address,
      owner: wallet.owner.kind === 'eoa' ? wallet.owner.address : undefined,
      laterOwners: async (network) => (await readOwners(services.networks.get(network), wallet)).owners,
    },
    given,
    name,
    search,
  )
  // The signed data decides: the hash of the build, which includes the validity.
  const { valid_after: validAfter, valid_until: validUntil } = row
  if (validity && (validity.validAfter !== validAfter || validity.validUntil !== validUntil)) {
    throw new LanyardError('INVALID_SIGNATURE', {
      message: `The signature covers another validity than the one in front of it. Send validAfter ${validAfter} and validUntil ${validUntil}, or only the 65 bytes.`,
    })
  }
  const signature = encodeSignature({
    validAfter,
    validUntil,
    signatures: ownerSignature,
  })
  return submitOperation(services.operations, sentBy(context, row), signature)
})
