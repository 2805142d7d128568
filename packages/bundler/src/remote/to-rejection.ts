import { LanyardError } from '@lanyard/contracts'
import { type Hex, isHex } from 'viem'
import { findAaCode } from '../entry-point/aa-codes.ts'
import { rejection } from '../entry-point/rejection.ts'
import { decodeRevert } from '../revert/decode-revert.ts'
import type { BundlerRpcError } from './bundler-rpc.ts'
import { classifyError } from './error-patterns.ts'
import { rpcErrorCodes } from './rpc-error-codes.ts'

/** How to interpret a bundler's error. */
export type BundlerRejection =
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
