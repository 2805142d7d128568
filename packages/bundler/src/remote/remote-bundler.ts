import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import type { Bundler } from '../bundler.ts'
import { assertKnownEntryPoint } from '../embedded/assert-admissible.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import { insufficientFunds } from '../entry-point/insufficient-funds.ts'
import { hasLanded } from '../entry-point/landed.ts'
import { chainIdAnswer, entryPointsAnswer, userOperationAnswer, userOpHashAnswer } from './answers.ts'
import { type BundlerRpc, BundlerRpcError, createBundlerRpc } from './bundler-rpc.ts'
import { estimateRemotely } from './estimate-remotely.ts'
import { readRejection } from './to-rejection.ts'
import { toRequest } from './to-request.ts'

/** A third-party bundler, called by the JSON-RPC of ERC-7769. */
export function createRemoteBundler(network: Network, url: string): Bundler {
  const { entryPoint, rpcTimeout } = network.config
  const rpc = checkedRpc(network, createBundlerRpc(url, rpcTimeout))
  return {
    entryPoint,
    estimate: (request) => estimateRemotely({ network, rpc }, request),
    deliver: (operation) => deliver(network, rpc, operation),
    drive: async () => {},
  }
}

async function deliver(network: Network, rpc: BundlerRpc, operation: SignedUserOperation): Promise<void> {
  assertKnownEntryPoint(network, operation)
  const entryPoint = entryPointOf(network, operation)
  const hash = getUserOperationHash(operation, { chainId: network.chainId, entryPoint })
  try {
    const answered = await rpc('eth_sendUserOperation', [toRequest(operation), entryPoint], userOpHashAnswer)
    if (answered !== hash) {
      throw new LanyardError('BUNDLER_FAILED', {
        message:
          'The bundler accepted the operation under another hash: it serves another chain or entry point.',
      })
    }
  } catch (error) {
    if (!(error instanceof BundlerRpcError)) throw error
    const rejected = readRejection(error)
    if (rejected.kind === 'known') return
    if (rejected.kind === 'nonce' && (await isTaken(network, rpc, operation, hash))) return
    if (rejected.kind === 'funds') throw await insufficientFunds(network, operation)
    throw rejected.error
  }
}

/** Whether the bundler or the chain has this very operation. */
async function isTaken(
  network: Network,
  rpc: BundlerRpc,
  operation: SignedUserOperation,
  hash: Hex,
): Promise<boolean> {
  if (await hasLanded(network, operation, hash)) return true
  try {
    return (await rpc('eth_getUserOperationByHash', [hash], userOperationAnswer)) !== null
  } catch (error) {
    if (error instanceof BundlerRpcError) return false
    throw error
  }
}

/**
 * Before the first call, checks that the bundler serves this chain and its first entry point. Repeats the check
 * until it succeeds.
 */
function checkedRpc(network: Network, rpc: BundlerRpc): BundlerRpc {
  let checked: Promise<void> | undefined
  return async (method, params, answer) => {
    checked ??= check(network, rpc).catch((error: unknown) => {
      checked = undefined
      throw error
    })
    await checked
    return await rpc(method, params, answer)
  }
}

async function check(network: Network, rpc: BundlerRpc): Promise<void> {
  try {
    const [chainId, entryPoints] = await Promise.all([
      rpc('eth_chainId', [], chainIdAnswer),
      rpc('eth_supportedEntryPoints', [], entryPointsAnswer),
    ])
    if (chainId !== network.chainId) throw misconfigured(network, `serves chain ${chainId}`)
    // A bundler without the EntryPoint of delegated EOAs serves the other accounts, and refuses theirs itself.
    const { entryPoint } = network.config
    if (!entryPoints.some((address) => address.toLowerCase() === entryPoint.toLowerCase()))
      throw misconfigured(network, `does not serve the entry point ${entryPoint}`)
  } catch (error) {
    if (!(error instanceof BundlerRpcError)) throw error
    throw new LanyardError('BUNDLER_FAILED', { cause: error })
  }
}

const misconfigured = ({ config }: Network, how: string) =>
  new LanyardError('BUNDLER_FAILED', { message: `The bundler configured for ${config.name} ${how}.` })
