import { inspectSafe, isKnownSafe, type SafeInspection, safeStateReads } from '@lanyard/accounts'
import { multicall3, type Network } from '@lanyard/networks'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  prepareEncodeFunctionData,
} from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'

const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

/**
 * Reads what an address holds on a network, at one block that two RPCs have in common and with answers that both give.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readExistingSafe(network: Network, address: Address): Promise<SafeInspection> {
  const { quorum, config } = network
  currentMeter()?.addCalls(['reads'])
  const block = await quorum.head()
  const at = { address, blockNumber: block.number }
  const [code, slot0] = await Promise.all([
    quorum.agree(async (client) => (await client.getCode(at)) ?? '0x'),
    quorum.agree(async (client) => (await client.getStorageAt({ ...at, slot: '0x0' })) ?? '0x'),
  ])
  const modules = [config.sessionKeys, config.ownership].filter((known) => known !== undefined)
  // The caller chooses the address, so only known code is run.
  if (!isKnownSafe({ code, slot0 })) return inspectSafe({ code, slot0, answers: [] }, modules)
  const data = await quorum.call(block, {
    to: multicall3,
    data: encodeFunctionData({
      ...aggregate3,
      args: [safeStateReads.map((callData) => ({ target: address, callData, allowFailure: true }))],
    }),
  })
  return inspectSafe({ code, slot0, answers: toAnswers(data) }, modules)
}

const toAnswers = (data: Hex): readonly (Hex | undefined)[] =>
  decodeFunctionResult({ abi: aggregate3.abi, data }).map(({ success, returnData }) =>
    success ? returnData : undefined,
  )
