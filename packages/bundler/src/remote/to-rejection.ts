import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { type Hex, isHex } from 'viem'
import { decodeRevert } from '../decode-revert.ts'
import { findAaCode, rejection } from '../entry-point/handle-ops-failure.ts'
import type { BundlerRpcError } from './bundler-rpc.ts'

/** How to interpret a bundler's error. */
type BundlerRejection =
  /** It has the operation from an earlier delivery. */
  | { readonly kind: 'known' }
  /** The nonce is used, perhaps by this very operation. */
  | { readonly kind: 'nonce'; readonly error: LanyardError }
  | { readonly kind: 'funds'; readonly error: LanyardError }
  | { readonly kind: 'other'; readonly error: LanyardError }

const maxMessageLength = 300

/** Interprets the error by EntryPoint's own code, then by the message, then by the JSON-RPC code. */
export function readRejection(answered: BundlerRpcError): BundlerRejection {
  const reason = answered.message.slice(0, maxMessageLength)
  const aaCode = findAaCode(answered.message)
  if (aaCode) {
    const data = revertDataIn(answered.data)
    const inner = data && data.length > 2 ? decodeRevert(data) : undefined
    const error = rejection({ index: 0, aaCode, reason, inner })
    if (aaCode === 'AA25' || aaCode === 'AA10') return { kind: 'nonce', error }
    return { kind: aaCode === 'AA21' ? 'funds' : 'other', error }
  }
  const meaning = classifyError(answered.message) ?? rpcErrorCodes[answered.code] ?? 'BUNDLER_FAILED'
  if (meaning === 'KNOWN') return { kind: 'known' }
  const details = { bundlerCode: answered.code, reason }
  if (meaning === 'NONCE')
    return { kind: 'nonce', error: new LanyardError('REBUILD', { details, cause: answered }) }
  const error = new LanyardError(meaning, {
    ...(meaning === 'OPERATION_REFUSED' ? { message: `The bundler rejects this operation: ${reason}` } : {}),
    details,
    cause: answered,
  })
  return { kind: meaning === 'INSUFFICIENT_FUNDS' ? 'funds' : 'other', error }
}

/** Revert data in an error's `data`: as hex, or as `data.revertData`, `data.data` or `data.reason`. */
function revertDataIn(data: unknown): Hex | undefined {
  if (isHex(data)) return data
  if (typeof data !== 'object' || data === null) return undefined
  return Object.values(data).find((value): value is Hex => isHex(value))
}

/** The meaning of a bundler's message that has no AA code. `KNOWN`: the bundler has the operation. */
type Meaning = ErrorCode | 'KNOWN' | 'NONCE'

/**
 * Messages of Alto, Rundler, Skandha, Voltaire, Etherspot and eth-infinitism's bundler that their JSON-RPC
 * codes do not distinguish (each comes as -32500, -32602 or -32603 from one of them). The first match counts.
 */
const errorPatterns: readonly (readonly [Meaning, RegExp])[] = [
  [
    'KNOWN',
    /already[ _]?known|already (?:present )?in (?:the )?(?:mem)?pool|duplicate user ?op|already (?:been )?(?:added|received|submitted|included|landed|mined)/i,
  ],
  [
    'OPERATION_REFUSED',
    /replacement.*(?:underpriced|fee|too low)|fee.*replace|conflicting (?:user ?op|nonce)/i,
  ],
  [
    'NONCE',
    /nonce(?: is)? too (?:low|high)|invalid (?:account )?nonce|nonce.*(?:already used|not valid|invalid|mismatch)/i,
  ],
  [
    'FEE_TOO_LOW',
    /(?:max(?:Priority)?FeePerGas|preVerificationGas|gas price|priority fee).*(?:too low|below|at least|must be|less than|lower than|not enough)|underpriced/i,
  ],
  [
    'INSUFFICIENT_FUNDS',
    /prefund|insufficient (?:funds|balance)|(?:balance|deposit).*(?:too low|insufficient)/i,
  ],
  ['REBUILD', /expired|expires too soon|time ?range|not (?:yet )?(?:due|valid)/i],
  [
    'INVALID_SIGNATURE',
    /signature (?:error|check failed|mismatch|is (?:not valid|invalid))|invalid (?:user ?op(?:eration)? )?signature/i,
  ],
  ['PAYMASTER_REFUSED', /paymaster/i],
  ['BUNDLER_UNAVAILABLE', /rate limit|too many requests|(?:mem)?pool is full|queue is full/i],
]

const classifyError = (message: string): Meaning | undefined =>
  errorPatterns.find(([, wording]) => wording.test(message))?.[0]

/**
 * A bundler's JSON-RPC error codes and their meaning for a caller. Source: ERC-7769 ("JSON-RPC API for
 * ERC-4337"), JSON-RPC 2.0 for -32600 to -32603, EIP-1474 for -32005. The AA code and the message are more
 * specific, so they are checked first.
 */
const rpcErrorCodes: Readonly<Record<number, ErrorCode>> = {
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
