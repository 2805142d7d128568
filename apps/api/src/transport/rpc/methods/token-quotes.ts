import { address } from '@lanyard/contracts'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import { numberToHex } from 'viem'
import { z } from 'zod'
import { relayerGasOf } from '../../../domain/gas-policies/policy-budget.ts'
import { listTokenFees } from '../../../domain/smart-balance/orders/list-token-fees.ts'
import { isChainId, type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { RpcError, rpcCodes } from '../rpc-error.ts'

const request = z.looseObject({ tokens: z.array(address).min(1).max(20) })

/**
 * `pimlico_getTokenQuotes`, which permissionless asks before it approves a fee: the most that the paymaster can take is
 * `(maximum cost + postOpGas × maxFeePerGas) × exchangeRate / 10^18`, base units of the token. A token that no policy takes, or
 * whose rate cannot be read, has no quote.
 */
export async function getTokenQuotes({ context, network, params }: RpcCall) {
  const [given, named, chainId] = params
  const parsed = request.safeParse(given)
  if (!parsed.success)
    throw new RpcError(rpcCodes.invalidParams, 'Expected { tokens } with 1 to 20 addresses of tokens')
  const entryPoint = requireEntryPoint(network, named)
  if (chainId !== undefined && !isChainId(network, chainId))
    throw new RpcError(rpcCodes.invalidParams, `This address serves chain ${network.chainId}.`)
  const { services, project } = context
  const { smartBalance } = network.config
  if (!smartBalance) return { quotes: [] }
  const { log } = services
  const offered = await listTokenFees({ networks: { list: () => [network] }, log }, project.policies.list)
  // Clients only show it, so it holds back no quote of a token that has a source of its own.
  const nativePrice = offered.length === 0 ? 0n : await network.nativePrice().catch(() => 0n)
  const quotes = parsed.data.tokens.flatMap((token) => {
    // The first policy that applies pays.
    const fee = offered.find((one) => one.token.toLowerCase() === token.toLowerCase())
    const policy = project.policies.list.find(({ id }) => id === fee?.policy)
    if (!fee || policy?.effect !== 'allow') return []
    return {
      paymaster: predictTokenPaymasterAddress({ entryPoint, smartBalance }),
      token: fee.token,
      // Clients round down, and the paymaster rounds up: a unit of gas more covers the difference.
      postOpGas: numberToHex(relayerGasOf(network, policy) + 1n),
      exchangeRate: numberToHex(BigInt(fee.rate)),
      exchangeRateNativeToUsd: numberToHex(nativePrice),
    }
  })
  return { quotes }
}
