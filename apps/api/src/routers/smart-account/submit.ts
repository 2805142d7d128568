import { withAuthorization } from '@lanyard/bundler'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findAnyWallet, rulesOf } from '../../domain/accounts/accounts/wallet.ts'
import { builderOf, sentBy } from '../../domain/accounts/callers/caller.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { signerOfAccount } from '../../domain/operations/signers/find-signer.ts'
import type { GivenSignature } from '../../domain/operations/signers/signer.ts'
import { findSignedOperation } from '../../domain/operations/submit/find-signed-operation.ts'
import { submitOperation } from '../../domain/operations/submit/submit-operation.ts'
import { implement } from '../../pipeline/implement.ts'
import { searchBudgetOf } from '../../pipeline/rate-limits/request-budgets.ts'

export const submit = implement(endpoints.smartAccount.submit, async (input, context) => {
  const { networks, database, operations, now } = context.services
  if (input.network !== undefined) networks.get(input.network)
  const wallet = await findAnyWallet(database, input)
  const signer = signerOfAccount(operations.features, wallet, input.signatureType ?? 'ECDSA')
  const { signature, validity }: GivenSignature = signer.split?.(input.signature) ?? input
  const { row, ownerSignature } = await findSignedOperation(
    {
      wallet,
      database,
      ownersOn: async (network) => (await readOwners(networks.get(network), wallet)).owners,
      acceptsFirstOwner: true,
    },
    signer,
    signature,
    {
      userOpHash: input.userOpHash,
      network: input.network,
      nonce: input.userOp === undefined ? undefined : BigInt(input.userOp.nonce),
    },
    { builtBy: await builderOf(context, wallet), budget: searchBudgetOf(context), now: now() },
  )
  // The signed data decides: the hash of the build, which includes the validity.
  const { valid_after: validAfter, valid_until: validUntil } = row
  if (validity && (validity.validAfter !== validAfter || validity.validUntil !== validUntil)) {
    throw new LanyardError('INVALID_SIGNATURE', {
      message: `The signature covers another validity than the one in front of it. Send validAfter ${validAfter} and validUntil ${validUntil}, or only the 65 bytes.`,
    })
  }
  const authorization = await rulesOf(wallet).requireAuthorization(networks, row, input.authorization)
  const signed = sentBy(context, withAuthorization(row, authorization))
  return submitOperation(operations, signed, signer.encode(row, ownerSignature))
})
