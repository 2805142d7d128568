import { httpRpc, LimitedAnswer, toProviderError } from '@lanyard/networks'
import { BaseError, createPublicClient, HttpRequestError, type PublicClient, RpcRequestError } from 'viem'
import { type Finding, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { limitFindings, reasonOf, wrongChain } from './endpoints.ts'
import { rateLimited } from './provider.ts'

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
): Promise<readonly Finding[]> {
  const { chainId, rpcTimeout } = config
  const client = createPublicClient({ transport: httpRpc(url, { timeout: rpcTimeout }) })
  const unusable = (message: string, expected: string, seen: string) => [
    finding('SEND_RPC_UNUSABLE', {
      message: `${place} ${message}`,
      expected,
      seen,
      fix: `Correct ${place} of network ${chainId} in NETWORKS_FILE, or remove it.`,
    }),
  ]
  try {
    const actual = await client.getChainId()
    if (actual !== chainId) return [wrongChain(place, { chainId, actual })]
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
  if (rejection instanceof LimitedAnswer) return [rateLimited(place, rejection.details)]
  return rejection === undefined
    ? []
    : unusable('takes no transactions.', 'eth_sendRawTransaction', rejection.details)
}

/** No transaction: a node that takes transactions answers that it cannot read this one. */
const notATransaction = '0x00'

/** Why the endpoint takes no transactions; undefined if it has looked at the bytes. */
async function askToSend(client: PublicClient): Promise<BaseError | undefined> {
  const [method, params] = ['eth_sendRawTransaction', [notATransaction]] as const
  try {
    await client.request({ method, params: [...params] })
    return undefined
  } catch (error) {
    const said = toProviderError(error, { method, params, now: Date.now() })
    if (!(said instanceof BaseError)) throw error
    // An error in the words of nobody is about the bytes.
    return said === error && isAnswer(said) ? undefined : said
  }
}

const isAnswer = (error: BaseError) =>
  error.walk(
    (inner) =>
      inner instanceof RpcRequestError || (inner instanceof HttpRequestError && inner.status === 400),
  ) !== null
