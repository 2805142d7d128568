import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { onEachNetwork } from '../../domain/accounts/owners/read-owners.ts'
import { listSessions } from '../../domain/session-keys/list-sessions.ts'
import { getSessionKeys } from '../../domain/session-keys/read-session.ts'
import { implement } from '../../pipeline/implement.ts'

export const list = implement(endpoints.sessionKey.list, async (input, { services }) => {
  const { networks, database } = services
  const only = input.network === undefined ? undefined : networks.get(input.network)
  if (only) getSessionKeys(only)
  const { address } = await findWallet(database, input.walletAddress)
  const answers = await onEachNetwork(networks, async (network) => {
    const isRequested = only ? network === only : network.config.sessionKeys !== undefined
    return { sessions: isRequested ? await listSessions(network, address) : [] }
  })
  const unavailable = answers.flatMap((answer) => ('status' in answer ? [answer.network] : []))
  return {
    sessions: answers.flatMap((answer) => ('sessions' in answer ? answer.sessions : [])),
    ...(unavailable.length > 0 && { unavailable }),
  }
})
