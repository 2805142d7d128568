import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { readNoncesUsed } from '../nonce-positions.ts'
import { readNonceUse } from '../track/inclusion.ts'

/** Nobody answered, so nobody refused: the operation may have arrived, and is delivered again. */
const unanswered: readonly ErrorCode[] = [
  'BUNDLER_UNAVAILABLE',
  'BUNDLER_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'DATABASE_UNAVAILABLE',
  'INTERNAL',
]

export interface ConfirmedRejection {
  readonly refusal: LanyardError
  /** Another operation has used the nonce: what follows on the lane can come. */
  readonly isTaken: boolean
}

/**
 * The refusal, if it is confirmed: from the configured chain, and, because of the nonce or the time, only when that
 * chain shows it.
 */
export async function toConfirmedRejection(
  network: Network,
  row: OperationRow,
  error: unknown,
): Promise<ConfirmedRejection | undefined> {
  if (!(error instanceof LanyardError) || unanswered.includes(error.code)) return undefined
  try {
    await network.assertChain()
    if (error.code !== 'REBUILD') return { refusal: error, isTaken: false }
    const why = await findWhyOutdated(network, row)
    return why && { refusal: error, isTaken: why === 'taken' }
  } catch {
    return undefined // whoever refused it, the network cannot be asked why
  }
}

/**
 * Why an operation can no longer be included, by the chain: it names another one with its nonce (`taken`), its account
 * has been deployed without it, or its validity is over. A bundler says the same (AA25, AA10, AA22) of an operation
 * whose own event is not visible yet, whose predecessor a reorg took, and of anything while its node lags.
 */
async function findWhyOutdated(network: Network, row: OperationRow): Promise<'taken' | 'over' | undefined> {
  // In this order: what is deployed now while the nonce is unused later was deployed by another.
  const isDeployed = row.deploys && (await readCode(network, row)) !== undefined
  const { timestamp } = await network.call((client) => client.getBlock())
  if ((await readNoncesUsed(network, [row])).size > 0) {
    return (await readNonceUse(network, [row])).taken.length > 0 ? 'taken' : undefined
  }
  return isDeployed || (row.valid_until > 0 && BigInt(row.valid_until) < timestamp) ? 'over' : undefined
}

const readCode = (network: Network, { account }: OperationRow) =>
  network.call((client) => client.getCode({ address: account as Address })) // the column holds 0x and 40 digits

/** A refusal that is not confirmed is the same as no answer. */
export const toUnanswered = (error: unknown, { config }: Network): unknown =>
  error instanceof LanyardError && !unanswered.includes(error.code)
    ? new LanyardError('NETWORK_FAILED', {
        message: `The bundler refused the operation for a reason that ${config.name} does not show. It is sent again.`,
        cause: error,
      })
    : error
