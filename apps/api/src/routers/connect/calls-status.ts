import { endpoints, LanyardError } from '@lanyard/contracts'
import { slice } from 'viem'
import { readCallsStatus } from '../../domain/operations/track/operation-receipts.ts'
import { implement } from '../../pipeline/implement.ts'

/** EIP-5792: unknown bundle of calls. */
const rpcCode = 5730

export const callsStatus = implement(endpoints.connect.callsStatus, async ({ id }, { services }) => {
  const { networks, database } = services
  const chainId = BigInt(slice(id, 32))
  const network = networks.list().find((candidate) => BigInt(candidate.chainId) === chainId)
  const status = network && (await readCallsStatus(database, network, slice(id, 0, 32)))
  if (!status)
    throw new LanyardError('UNKNOWN_OPERATION', {
      message: 'There is no bundle of calls with this id.',
      details: { rpcCode },
    })
  return { ...status, id }
})
