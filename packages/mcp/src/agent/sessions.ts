import type { LanyardClient } from '@lanyard/client'
import { type SessionKey, sessionKeyId } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { AgentError } from './agent-error.ts'

/** A session as the chain has it: limits, and what is left of them. Amounts are base units. */
export type Session = Awaited<ReturnType<LanyardClient['sessionKey']['list']>>['sessions'][number]

/**
 * Reads the sessions of this key from the chains: at most one for each network.
 *
 * @throws AgentError if the wanted network does not answer
 */
export async function readSessions(
  lanyard: LanyardClient,
  {
    account,
    key,
    network,
  }: { readonly account: Address; readonly key: SessionKey; readonly network?: number },
): Promise<{ readonly sessions: readonly Session[]; readonly unavailable: readonly number[] }> {
  const query = { walletAddress: account, ...(network !== undefined && { network: String(network) }) }
  const { sessions, unavailable = [] } = await lanyard.sessionKey.list(query)
  if (network !== undefined && unavailable.includes(network)) {
    throw new AgentError(`Network ${network} does not answer at the moment. Try again later.`)
  }
  const id = sessionKeyId(key)
  return { sessions: sessions.filter(({ keyId }) => keyId.toLowerCase() === id.toLowerCase()), unavailable }
}
