import { eoaOf } from '@lanyard/accounts'
import { type EndpointResult, endpoints, LanyardError } from '@lanyard/contracts'
import { createEoaAccount, findAccountAt } from '@lanyard/database'
import { type Address, getAddress } from 'viem'
import { listNetworkAccounts } from '../../domain/accounts/accounts/deployed-networks.ts'
import { reserveAccount } from '../../domain/accounts/accounts/reserve-account.ts'
import { isContractAccountRow, rulesOf, toWallet } from '../../domain/accounts/accounts/wallet.ts'
import { shownUsername } from '../../domain/accounts/users/shown-username.ts'
import { planEnabling, readExistingAccount, type SafeOnNetwork } from '../../domain/owners/import-safe.ts'
import { implement } from '../../pipeline/implement.ts'

type NetworkState = EndpointResult<typeof endpoints.smartAccount.importSafe>['networks'][number]

export const importSafe = implement(
  endpoints.smartAccount.importSafe,
  async ({ walletAddress, consents = [] }, context) => {
    const { database, networks, accountDeployment, now } = context.services
    const account = getAddress(walletAddress)
    const existing = await findAccountAt(database, account)
    const isKnown = existing !== undefined && isContractAccountRow(existing)
    const read = await readExistingAccount(networks, account, { consents, deployment: accountDeployment })
    const states = read.networks.map((on) => toState(account, on))
    if (!isKnown && !read.wallet) {
      const kinds = new Set(states.map(({ state }) => state))
      if (kinds.has('incomplete')) return { networks: states }
      if (kinds.has('down')) throw new LanyardError('NETWORK_UNAVAILABLE', { details: { networks: states } })
      throw new LanyardError('UNSUPPORTED_SAFE', {
        message: describe(account, states),
        details: { networks: states },
      })
    }
    // One that exists is confirmed, if it was not.
    const row = read.wallet
      ? await createEoaAccount(database, {
          ...rulesOf(read.wallet).toStored(),
          confirmed: read.isConsented || context.apiKey?.kind === 'secret',
          beforeNew: reserveAccount,
          createdAt: now(),
        }).then((created) => created.account)
      : existing
    if (!row) throw new LanyardError('UNKNOWN_WALLET')
    const wallet = toWallet(row)
    const username = await shownUsername(context, row)
    return {
      ...(username !== undefined && { username }),
      wallet: {
        type: 'EOA' as const,
        scw_address: wallet.address,
        account_kind: 'safe' as const,
        multi_scw: await listNetworkAccounts({ database, networks }, wallet),
        eoa_address: eoaOf(wallet.owner) ?? wallet.address,
      },
      networks: states,
    }
  },
)

function toState(account: Address, { network, found }: SafeOnNetwork): NetworkState {
  const { chainId } = network
  if (found.kind === 'absent' || found.kind === 'down') return { network: chainId, state: found.kind }
  const { kind: state, state: on } = found
  const known = { network: chainId, state, ...(on && { version: on.version, owners: [...on.owners] }) }
  if (found.kind === 'unsupported')
    return {
      ...known,
      problems: found.problems.map(({ part, address, message }) => ({
        part,
        ...(address && { address }),
        message,
      })),
    }
  if (found.kind === 'ready') return known
  const { calls, transaction, safeTxHash } = planEnabling(network, account, found.state)
  const { to, value, data, operation, nonce } = transaction
  return {
    ...known,
    transaction: {
      calls: calls.map((call) => ({ ...call, value: String(call.value) })),
      ...{ to, value: String(value), data, operation, nonce: String(nonce), safeTxHash },
    },
  }
}

/** What is in the way on each network where there is something. */
function describe(account: Address, states: readonly NetworkState[]): string {
  const problems = states.flatMap(({ network, problems = [] }) =>
    problems.map(({ message }) => `${network}: ${message}`),
  )
  return problems.length === 0
    ? `There is no contract at ${account} on any network of this service.`
    : problems.join(' ')
}
