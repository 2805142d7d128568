import { readDelegation } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { readNoncesUsed } from '../nonce-positions.ts'
import { readNonceOutcomes } from '../track/inclusion.ts'

/**
 * These codes mean that no answer arrived, so nothing is rejected: the bundler may have received the
 * operation, and it is sent again.
 */
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
  /** Another operation has used the nonce: later operations on the lane can follow. */
  readonly isTaken: boolean
}

/**
 * The rejection, if it is confirmed: the configured chain itself must reject it. A rejection because of the
 * nonce or the time counts only if that chain shows it.
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
    return undefined // the network cannot be asked for the reason, whoever rejected it
  }
}

/**
 * Why an operation can no longer be included, according to the chain: an event names another operation with
 * its nonce (`taken`), its account has been deployed without it, or its validity is over. A bundler reports
 * the same (AA25, AA10, AA22) for an operation whose own event is not visible yet, for one whose predecessor
 * a reorg removed, and for any operation while its node lags.
 */
async function findWhyOutdated(network: Network, row: OperationRow): Promise<'taken' | 'over' | undefined> {
  // The order matters: if the account is deployed now and the nonce is still unused afterwards, another
  // operation deployed it.
  const isDeployed = row.deploys && (await isDeployedOtherwise(network, row))
  const { timestamp } = await network.call((client) => client.getBlock())
  if ((await readNoncesUsed(network, [row])).size > 0) {
    return (await readNonceOutcomes(network, [row])).taken.length > 0 ? 'taken' : undefined
  }
  return isDeployed || (row.valid_until > 0 && BigInt(row.valid_until) < timestamp) ? 'over' : undefined
}

/**
 * Whether the account got its code in another way than by this operation, which can then never be included. An EOA's
 * operation needs no deployment once the EOA is delegated, but its authorisation is spent with the EOA's next transaction.
 */
async function isDeployedOtherwise(
  network: Network,
  { account, eip7702_auth }: OperationRow,
): Promise<boolean> {
  const address = account as Address // the column holds 0x and 40 digits
  return network.call(async (client) => {
    const [code, nonce] = await Promise.all([
      client.getCode({ address }),
      eip7702_auth ? client.getTransactionCount({ address }) : 0,
    ])
    if (!eip7702_auth) return code !== undefined
    return (
      nonce > eip7702_auth.nonce &&
      readDelegation(code, { delegate: eip7702_auth.address }).kind !== 'delegated'
    )
  })
}

/** Treats an unconfirmed rejection as no answer. */
export const toUnanswered = (error: unknown, { config }: Network): unknown =>
  error instanceof LanyardError && !unanswered.includes(error.code)
    ? new LanyardError('NETWORK_FAILED', {
        message: `The bundler refused the operation for a reason that ${config.name} does not show. It will be sent again.`,
        cause: error,
      })
    : error
