import type { ErrorCode } from '@lanyard/contracts'

/**
 * A bundler's JSON-RPC error codes and their meaning for a caller. Source: ERC-7769 ("JSON-RPC API for
 * ERC-4337"), JSON-RPC 2.0 for -32600 to -32603, EIP-1474 for -32005. The AA code and the message are more
 * specific, so they are checked first.
 */
export const rpcErrorCodes: Readonly<Record<number, ErrorCode>> = {
  [-32500]: 'OPERATION_REFUSED', // rejected by EntryPoint during the creation or validation of the account
  [-32501]: 'PAYMASTER_REFUSED', // rejected by the paymaster
  [-32502]: 'OPERATION_REFUSED', // opcode or storage rule violated (ERC-7562)
  [-32503]: 'REBUILD', // out of time range: expired, or expires too soon
  [-32504]: 'PAYMASTER_REFUSED', // paymaster (or factory) throttled or banned
  [-32505]: 'OPERATION_REFUSED', // stake or unstake delay too low
  [-32506]: 'OPERATION_REFUSED', // unsupported signature aggregator
  [-32507]: 'INVALID_SIGNATURE', // signature check failed
  [-32508]: 'PAYMASTER_REFUSED', // the paymaster cannot pay for all its operations in the mempool
  [-32521]: 'EXECUTION_REVERTED', // the call reverted
  [-32600]: 'BUNDLER_FAILED',
  [-32601]: 'BUNDLER_FAILED', // method not found
  [-32602]: 'OPERATION_REFUSED', // invalid struct or fields
  [-32603]: 'BUNDLER_FAILED',
  [-32005]: 'BUNDLER_UNAVAILABLE', // limit exceeded
}
