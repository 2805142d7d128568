import { fetchJson } from './call-node.ts'
import { ConnectError } from './connect-error.ts'
import { errorCodes } from './protocol.ts'

/** Milliseconds between polls of a bundle of calls. */
const pollInterval = 1_000

/** Maximum number of consecutive failed polls. */
const maxFailures = 10

interface CallsStatus {
  /** EIP-5792: below 200 pending, 200 confirmed, 400 not included, 500 reverted. */
  readonly status: number
  readonly receipts?: readonly { readonly transactionHash: string }[]
}

/**
 * `wallet_getCallsStatus`, read from the service without a popup: the status of a bundle is public.
 *
 * @throws ConnectError 5730 for an unknown bundle, 4900
 */
export async function getCallsStatus(walletOrigin: string, id: string): Promise<CallsStatus> {
  const { status, body } = await fetchJson(
    `${walletOrigin}/connect/calls-status?id=${encodeURIComponent(id)}`,
  )
  if (status === 200) return body as CallsStatus // the shape of the wallet's response
  if (status === 404 || status === 400)
    throw new ConnectError(errorCodes.unknownBundle, 'There is no bundle of calls with this id.')
  throw new ConnectError(errorCodes.disconnected, `The wallet answers with status ${status}.`)
}

/** Waits until a bundle is included, even if it reverted. */
export async function waitForTransactionHash(walletOrigin: string, id: string): Promise<string> {
  for (let failures = 0; ; ) {
    try {
      const { status, receipts } = await getCallsStatus(walletOrigin, id)
      failures = 0
      if (receipts?.[0]) return receipts[0].transactionHash
      if (status >= 400)
        throw new ConnectError(errorCodes.internalError, 'The transaction was not included.', { id })
    } catch (error) {
      const isAway = error instanceof ConnectError && error.code === errorCodes.disconnected
      if (!isAway || ++failures === maxFailures) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
  }
}
