import type { Network } from '@lanyard/networks'
import { getAddress } from 'viem'
import { smartBalanceNetworks } from '../get-smart-balance.ts'
import type { SmartBalanceServices } from '../services.ts'
import { findQuestions } from './ledger-questions.ts'
import { askNetworks } from './network-bound.ts'
import { type Deposit, readDeposit } from './read-deposit.ts'
import { writeDeposits } from './write-deposits.ts'

export interface SyncedLedger {
  /** What the networks said that answered. */
  readonly deposits: readonly Deposit[]
  /** Why each of the others is missing, by chain id. Its entry, if it has one, is an old one. */
  readonly failures: ReadonlyMap<number, unknown>
}

/**
 * Brings the ledger of an account up to the networks' final blocks: its deposits, exits and pins, and with them, in
 * the same transaction, what those blocks settled of its debits and which co-signatures they used. All networks are
 * asked at once, and withReadTimeout.
 *
 * @param account - in any case; one that has no row here is read, and nothing is written.
 * @param networks - absent: all that have a smart balance
 */
export async function syncLedger(
  services: Pick<SmartBalanceServices, 'database' | 'networks' | 'log'>,
  account: string,
  networks: readonly Network[] = smartBalanceNetworks(services.networks),
): Promise<SyncedLedger> {
  const key = account.toLowerCase()
  const questions = await findQuestions(services.database, key)
  const { answers: deposits, failures } = await askNetworks(
    networks,
    (network) => readDeposit(network, getAddress(key), questions.on(network.chainId)),
    services.log,
  )
  await writeDeposits(services.database, key, deposits)
  return { deposits, failures }
}
