import { entryPointsOf, type Network } from '@lanyard/networks'
import { type Address, isAddress, isAddressEqual } from 'viem'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'

/** One call of a method. */
export interface RpcCall {
  readonly context: RequestContext
  /** The network in the path. */
  readonly network: Network
  readonly params: readonly unknown[]
}

/**
 * The entry point that a parameter names: the one of Safes, or that of delegated EOAs where the network has them.
 *
 * @throws RpcError -32602 for another one
 */
export function requireEntryPoint({ config }: Network, entryPoint: unknown): Address {
  const own = entryPointsOf(config)
  const named =
    typeof entryPoint === 'string' && isAddress(entryPoint)
      ? own.find((one) => isAddressEqual(one, entryPoint))
      : undefined
  if (named) return named
  throw new RpcError(rpcCodes.invalidParams, `Unknown entry point: this network has ${own.join(' and ')}.`)
}

/**
 * Whether a parameter is the chain id in the path.
 *
 * @throws RpcError -32602 for an invalid chain id
 */
export function isChainId({ chainId }: Network, value: unknown): boolean {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value))
    return BigInt(value) === BigInt(chainId)
  throw new RpcError(rpcCodes.invalidParams, 'Expected a chain id in hex: 0x and up to 64 digits.')
}

/** @throws RpcError -32602 */
export function requireHash(value: unknown): `0x${string}` {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value))
    return value.toLowerCase() as `0x${string}` // the pattern proves it
  throw new RpcError(rpcCodes.invalidParams, 'Expected a hash: 0x and 64 hex digits.')
}
