import { httpRpc, RateLimitResponse } from '@lanyard/networks'
import { createPublicClient } from 'viem'
import { type Findings, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { limitFindings, reasonOf, wrongChain } from './endpoints.ts'
import { askToSend, rateLimited } from './provider.ts'

/** Whether each of `sendRpcUrls` serves this chain and takes transactions: nothing else is asked of them. */
export const checkSendEndpoints: Check = async (subject) => {
  const { sendRpcUrls } = subject.network.config
  const checks = sendRpcUrls.map((url, index) => checkSendEndpoint(subject, url, `sendRpcUrls[${index}]`))
  return (await Promise.all(checks)).flat()
}

async function checkSendEndpoint(
  { network: { config } }: Subject,
  url: string,
  place: string,
): Promise<Findings> {
  const { chainId, rpcTimeout } = config
  const client = createPublicClient({ transport: httpRpc(url, { timeout: rpcTimeout }) })
  const unusable = (message: string, expected: string, seen: string) =>
    finding('SEND_RPC_UNUSABLE', {
      message: `${place} ${message}`,
      expected,
      seen,
      fix: `Correct ${place} of network ${chainId} in NETWORKS_FILE, or remove it.`,
    })
  try {
    const actual = await client.getChainId()
    if (actual !== chainId) return wrongChain(place, { chainId, actual })
  } catch (error) {
    const limited = limitFindings(error, place)
    if (limited.length > 0) return limited
    return unusable(
      'does not answer, so nothing is sent through it.',
      'an answer to eth_chainId',
      reasonOf(error),
    )
  }
  const rejection = await askToSend(client)
  if (rejection instanceof RateLimitResponse) return rateLimited(place, rejection.details)
  return rejection === undefined
    ? []
    : unusable('takes no transactions.', 'eth_sendRawTransaction', rejection.details)
}
