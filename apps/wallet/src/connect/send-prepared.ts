import { ceremonyBody } from '@lanyard/client'
import { startAuthentication } from '@simplewebauthn/browser'
import { concat, type Hex, numberToHex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'
import type { PreparedOperation } from '../operation/prepare-operation.ts'
import { requireConnection } from '../passkey/require-connection.ts'
import type { KnownAccount } from '../sign-in/known-account.ts'

/** Milliseconds between polls of whether an operation was sent. */
const pollInterval = 500

/** Milliseconds until the page learns that the outcome is unknown. */
const sendTimeout = 60_000

/** The page's id for the operation: userOpHash ‖ chain id (EIP-5792). */
const bundleIdOf = (userOpHash: Hex, chainId: number): Hex =>
  concat([userOpHash, numberToHex(chainId, { size: 32 })])

/**
 * Signs a prepared operation, submits it, and waits until the service has sent it to the bundler. The page
 * then polls the outcome by id.
 *
 * @returns the id
 */
export async function sendPrepared(
  { username }: KnownAccount,
  { network, verified: { userOpHash }, requestOptions }: PreparedOperation,
): Promise<Hex> {
  await requireConnection()
  const assertion = await startAuthentication({ optionsJSON: requestOptions })
  const done = new AbortController()
  const included = trpc.webauthn.transactionVerify
    .mutate({ ...ceremonyBody(assertion), username })
    .catch((error: unknown) => {
      // The operation is sent, or may be. Its status shows which.
      const isOpen = readServiceError(error)?.code === 'INCLUSION_TIMEOUT' || isUnreachable(error)
      if (!isOpen) throw error
      return sent
    })
  const sent = waitUntilSent(userOpHash, AbortSignal.any([done.signal, AbortSignal.timeout(sendTimeout)]))
  try {
    await Promise.race([included, sent])
  } finally {
    done.abort()
    sent.catch(() => undefined)
  }
  return bundleIdOf(userOpHash, network.chainId)
}

async function waitUntilSent(userOpHash: Hex, signal: AbortSignal): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
    signal.throwIfAborted()
    const status = await trpc.smartAccount.status.query({ userOpHash }, { signal }).catch(() => undefined)
    if (status && status.state !== 'submitting' && status.state !== 'built') return
  }
}
