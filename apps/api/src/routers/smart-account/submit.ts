import { encodeSignature } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { builderOf } from '../../access/builder-of.ts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { findSignedOperation } from '../../operations/find-signed-operation.ts'
import { submitOperation } from '../../operations/submit-operation.ts'
import { readOwners } from '../../owners/read-owners.ts'
import { searchBudgetOf } from '../../rate-limits/search-budget.ts'
import { findSessionOperation } from '../../session-keys/find-session-operation.ts'
import { toSessionSignature } from '../../session-keys/recognise-session-signature.ts'

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
    return submitOperation(services.operations, found.row, toSessionSignature(found))
  }
  const { row, ownerSignature } = await findSignedOperation(
    services.database,
    {
      address: wallet.address,
      owner: wallet.owner.kind === 'eoa' ? wallet.owner.address : undefined,
      laterOwners: async (network) => (await readOwners(services.networks.get(network), wallet)).owners,
    },
    input.signature,
    name,
    search,
  )
  const signature = encodeSignature({
    validAfter: row.valid_after,
    validUntil: row.valid_until,
    signatures: ownerSignature,
  })
  return submitOperation(services.operations, row, signature)
})
