import { gunzipSync } from 'node:zlib'
import { localTransport, type RunningNetwork } from '@lanyard/devnet'
import { type ChainState, startEdrNode } from '@lanyard/edr'
import { createTestClient, hexToBytes } from 'viem'
import { type StartOptions, startOrderService } from '../orders/order-service.ts'

/** Starts the service on Hardhat's nodes, with the state of the local networks. */
export const startEdrService = (options: StartOptions = {}) =>
  startOrderService({ ...options, startOtherNode: startEdr })

async function startEdr({ chainId, rpcUrl }: RunningNetwork) {
  const anvil = createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl) })
  // Gzipped JSON, as anvil writes it.
  const state: ChainState = JSON.parse(gunzipSync(hexToBytes(await anvil.dumpState())).toString())
  return startEdrNode({ chainId, state })
}
