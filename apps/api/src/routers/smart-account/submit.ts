import { encodeSignature } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'
import { findSignedOperation } from '../../operations/find-signed-operation.ts'
import { submitOperation } from '../../operations/submit-operation.ts'
import { readOwners } from '../../owners/read-owners.ts'
import { findSessionOperation } from '../../session-keys/find-session-operation.ts'
import { toSessionSignature } from '../../session-keys/recognise-session-signature.ts'

export const submit = implement(endpoints.smartAccount.submit, async (input, { services }) => {
  if (input.network !== undefined) services.networks.get(input.network)
  const wallet = await findWallet(services.database, input.walletAddress)
  const name = {
    userOpHash: input.userOpHash,
    network: input.network,
    nonce: input.userOp === undefined ? undefined : BigInt(input.userOp.nonce),
  }
  if (input.signatureType === 'SESSION_KEY') {
    const found = await findSessionOperation(services.database, wallet.address, input.signature, name)
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
  )
  const signature = encodeSignature({
    validAfter: row.valid_after,
    validUntil: row.valid_until,
    signatures: ownerSignature,
  })
  return submitOperation(services.operations, row, signature)
})
