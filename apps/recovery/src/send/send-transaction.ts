import {
  type Call,
  encodeExecTransaction,
  encodeInitCode,
  safeTransactionTypedData,
  toSafeTransaction,
} from '@lanyard/accounts'
import { type Hash, slice } from 'viem'
import type { Payer } from '../payer/payer.ts'
import { describeError, RecoveryError } from '../recovery-error.ts'
import type { Sending } from './sending.ts'

/**
 * Executes the calls in an ordinary transaction of the payer (`Safe.execTransaction`): no bundler, no
 * EntryPoint, and no gas cost for the account. Deploys the account first if necessary.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION, FAILED
 */
export async function sendTransaction(
  { connection, kit, state, signer }: Sending,
  payer: Payer,
  calls: readonly Call[],
): Promise<Hash> {
  const { client, chain } = connection
  const { account } = kit
  const transaction = toSafeTransaction(calls, state.nonce, kit.deployment)
  const message = safeTransactionTypedData(transaction, { chainId: chain.id, account })
  // Signs before awaiting anything else: browsers allow a passkey prompt only shortly after a click.
  const signatures = await signer.sign({ client, account, state, message })

  if (!state.deployed) {
    const initCode = encodeInitCode(kit.owner, kit.deployment)
    await sendAndWait(connection, payer, { to: slice(initCode, 0, 20), data: slice(initCode, 20) })
  }
  return sendAndWait(connection, payer, { to: account, data: encodeExecTransaction(transaction, signatures) })
}

/** @throws RecoveryError FAILED */
export async function sendAndWait(
  { client }: Sending['connection'],
  payer: Payer,
  transaction: Parameters<Payer['send']>[0],
): Promise<Hash> {
  try {
    await client.call({ account: payer.address, ...transaction })
    const hash = await payer.send(transaction)
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status === 'success') return hash
    throw new RecoveryError('FAILED', `The transaction ${hash} was included and reverted.`)
  } catch (error) {
    if (error instanceof RecoveryError) throw error
    throw new RecoveryError('FAILED', `The transaction was not sent: ${describeError(error)}`, {
      cause: error,
    })
  }
}
