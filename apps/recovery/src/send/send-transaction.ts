import {
  type Call,
  encodeExecTransaction,
  encodeInitCode,
  safeTransactionTypedData,
  toSafeTransaction,
} from '@lanyard/accounts'
import { type Hash, type Hex, slice } from 'viem'
import type { Connection } from '../connect.ts'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import type { Payer } from '../payer/payer.ts'
import { describeError, RecoveryError } from '../recovery-error.ts'
import type { Sending } from './sending.ts'

/**
 * Signs `Safe.execTransaction` with the calls. Anyone can send it: no bundler, no EntryPoint, and no gas cost for the account.
 *
 * @returns the call data of the account
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION
 */
export async function signTransaction(
  { connection, kit, state, signer }: Omit<Sending, 'holdings'>,
  calls: readonly Call[],
): Promise<Hex> {
  const { client, chain } = connection
  const { account } = kit
  const transaction = toSafeTransaction(calls, state.nonce, kit.deployment)
  const message = safeTransactionTypedData(transaction, { chainId: chain.id, account })
  return encodeExecTransaction(transaction, await signer.sign({ client, account, state, message }))
}

/** Deploys the account of the kit, for which no owner signs. @throws RecoveryError FAILED */
export async function deployAccount(connection: Connection, kit: RecoveryKit, payer: Payer): Promise<void> {
  const initCode = encodeInitCode(kit.owner, kit.deployment)
  await sendAndWait(connection, payer, { to: slice(initCode, 0, 20), data: slice(initCode, 20) })
}

/**
 * Executes the calls in an ordinary transaction of the payer. Deploys the account first if necessary.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION, FAILED
 */
export async function sendTransaction(sending: Sending, payer: Payer, calls: readonly Call[]): Promise<Hash> {
  const { connection, kit, state } = sending
  // Signs before awaiting anything else: browsers allow a passkey prompt only shortly after a click.
  const data = await signTransaction(sending, calls)
  if (!state.deployed) await deployAccount(connection, kit, payer)
  return sendAndWait(connection, payer, { to: kit.account, data })
}

/** @throws RecoveryError FAILED */
export async function sendAndWait(
  { client }: Connection,
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
