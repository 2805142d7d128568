import {
  type Call,
  encodeExecTransaction,
  encodeInitCode,
  safeTransactionTypedData,
  toSafeTransaction,
} from '@lanyard/accounts'
import { type Hash, slice } from 'viem'
import { signAsOwner } from '../owner/sign-as-owner.ts'
import type { Payer } from '../payer/payer.ts'
import { inWords, RecoveryError } from '../recovery-error.ts'
import type { Sending } from './sending.ts'

/**
 * Makes the calls by an ordinary transaction of the payer (`Safe.execTransaction`): no bundler, no EntryPoint, and
 * nothing of the account is spent on gas. Deploys the account first where it is not there yet.
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
  // Signed before anything is waited for: a browser asks for a passkey only soon after a press of a button.
  const signatures = await signAsOwner({ client, account, state, signer, message })

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
    throw new RecoveryError('FAILED', `The transaction was not sent: ${inWords(error)}`, { cause: error })
  }
}
