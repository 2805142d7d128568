import { LanyardError } from '@lanyard/contracts'
import type { AccountIdentity, Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { getAddress } from 'viem'
import { toWallet } from '../../../domain/accounts/accounts/wallet.ts'
import { readOwners } from '../../../domain/accounts/owners/read-owners.ts'
import { listSessions } from '../../../domain/session-keys/list-sessions.ts'
import { findQuestions } from '../../../domain/smart-balance/ledger/ledger-questions.ts'
import { readDeposit } from '../../../domain/smart-balance/ledger/read-deposit.ts'

/**
 * The state of an account on the chains: its owners, sessions and deposit on each network. A network that
 * does not answer is named and does not stop the export.
 */
export async function readDerived(database: Kysely<Database>, networks: Networks, account: AccountIdentity) {
  const entries = networks.list().map(async (network) => {
    try {
      return await readNetwork(database, network, account)
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error
      return { network: network.chainId, unavailable: error.code }
    }
  })
  return { note: 'Read from the chains; an import leaves it out.', networks: await Promise.all(entries) }
}

async function readNetwork(database: Kysely<Database>, network: Network, account: AccountIdentity) {
  const wallet = toWallet(account)
  const { smartBalance, sessionKeys } = network.config
  const questions = smartBalance ? await findQuestions(database, account.address) : undefined
  const [{ deployed, owners }, sessions, deposit] = await Promise.all([
    readOwners(network, wallet),
    sessionKeys ? listSessions(network, wallet.address) : null,
    questions ? readDeposit(network, getAddress(account.address), questions.on(network.chainId)) : null,
  ])
  return {
    network: network.chainId,
    deployed,
    owners: [...owners],
    sessions,
    deposit: deposit && {
      balance: deposit.balance.toString(),
      exiting: deposit.exiting.toString(),
      exit_ready_at: deposit.exitReadyAt,
      pinned_signers: [...deposit.pinnedSigners],
      block_number: Number(deposit.block.number),
    },
  }
}
