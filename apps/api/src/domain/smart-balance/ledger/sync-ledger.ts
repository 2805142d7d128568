import type { Network } from '@lanyard/networks'
import { getAddress } from 'viem'
import { smartBalanceNetworks } from '../model/get-smart-balance.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { findQuestions } from './ledger-questions.ts'
import { askNetworks } from './network-bound.ts'
import { type Deposit, readDeposit } from './read-deposit.ts'
import { writeDeposits } from './write-deposits.ts'

export interface SyncedLedger {
  /** The deposits on the networks that answered. */
  readonly deposits: readonly Deposit[]
  /** The error of each missing network, by chain id. If it has a ledger entry, the entry is outdated. */
  readonly failures: ReadonlyMap<number, unknown>
}

/**
 * Updates the ledger of an account to the networks' final blocks: its deposits, exits and pins, and in the
 * same transaction the settlements of its debits and the use of its co-signatures in those blocks. All
 * networks are queried in parallel, within the read time-out.
 *
 * @param account - in any letter case; an account without a row is read, and nothing is written.
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
