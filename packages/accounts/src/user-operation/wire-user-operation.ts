import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { type Failure, failure } from '../result.ts'
import type { UserOperation } from './user-operation.ts'

/**
 * `userOp` as the service's endpoints return it. All fields are strings. Numbers are decimal;
 * `initCode` is the factory followed by its data. `paymasterAndData` is present only if the service filled
 * it; otherwise the nine fields and the caller's own `paymasterData` are the whole operation.
 */
export interface WireUserOperation {
  readonly sender: string
  readonly nonce: string
  readonly initCode: string
  readonly callData: string
  readonly callGasLimit: string
  readonly verificationGasLimit: string
  readonly preVerificationGas: string
  readonly maxFeePerGas: string
  readonly maxPriorityFeePerGas: string
  readonly paymasterAndData?: string
}

export type FromWireUserOperationResult =
  | { readonly ok: true; readonly operation: UserOperation }
  | (Failure<'MALFORMED'> & { readonly field: keyof WireUserOperation })

/**
 * Parses a `userOp` of the interface strictly: each field must have the one form that {@link
 * toWireUserOperation} writes, with hex in either case. Decimal strings have no sign, exponent or leading
 * zero and fit the field's type on chain; the checksum of a mixed-case sender is verified. Fields beyond the
 * ten are ignored.
 *
 * @param options.paymasterAndData the caller's own, if the operation's tenth field was left out.
 */
export function fromWireUserOperation(
  wire: WireUserOperation,
  options: { paymasterAndData?: Hex } = {},
): FromWireUserOperationResult {
  try {
    return {
      ok: true,
      operation: {
        sender: readAddress(wire, 'sender'),
        nonce: readUint(wire, 'nonce', 256),
        initCode: readHex(wire, 'initCode'),
        callData: readHex(wire, 'callData'),
        callGasLimit: readUint(wire, 'callGasLimit', 128),
        verificationGasLimit: readUint(wire, 'verificationGasLimit', 128),
        preVerificationGas: readUint(wire, 'preVerificationGas', 256),
        maxFeePerGas: readUint(wire, 'maxFeePerGas', 128),
        maxPriorityFeePerGas: readUint(wire, 'maxPriorityFeePerGas', 128),
        paymasterAndData:
          wire.paymasterAndData === undefined
            ? (options.paymasterAndData ?? '0x')
            : readHex(wire, 'paymasterAndData'),
      },
    }
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error
    return { ...failure('MALFORMED', error.message), field: error.field }
  }
}

type Field = keyof WireUserOperation

class MalformedField extends Error {
  readonly field: Field
  constructor(field: Field, expected: string) {
    super(`${field} is not ${expected}.`)
    this.field = field
  }
}

/** The value may come from anywhere, whatever its type says. */
function readString(wire: WireUserOperation, field: Field): string {
  const value: unknown = wire[field]
  if (typeof value !== 'string') throw new MalformedField(field, 'a string')
  return value
}

function readUint(wire: WireUserOperation, field: Field, bits: number): bigint {
  const value = readString(wire, field)
  // 78 digits hold 2^256; the bound keeps BigInt() from parsing a megabyte.
  if (!/^(0|[1-9]\d{0,77})$/.test(value) || BigInt(value) >> BigInt(bits) !== 0n)
    throw new MalformedField(field, `the decimal string of a uint${bits}`)
  return BigInt(value)
}

function readHex(wire: WireUserOperation, field: Field): Hex {
  const value = readString(wire, field)
  if (!isHexBytes(value)) throw new MalformedField(field, '0x-prefixed hex with whole bytes')
  return value
}

function readAddress(wire: WireUserOperation, field: Field): Address {
  const value = readString(wire, field)
  if (!isAddress(value)) throw new MalformedField(field, 'an address')
  return getAddress(value)
}

function isHexBytes(value: string): value is Hex {
  return /^0x([0-9a-fA-F]{2})*$/.test(value)
}

/**
 * The operation in JSON form. `paymasterAndData` is omitted if it is empty. A caller that supplied its own
 * omits it with `{ ...operation, paymasterAndData: '0x' }`.
 */
export function toWireUserOperation(operation: UserOperation): WireUserOperation {
  return {
    sender: getAddress(operation.sender),
    nonce: operation.nonce.toString(),
    initCode: operation.initCode,
    callData: operation.callData,
    callGasLimit: operation.callGasLimit.toString(),
    verificationGasLimit: operation.verificationGasLimit.toString(),
    preVerificationGas: operation.preVerificationGas.toString(),
    maxFeePerGas: operation.maxFeePerGas.toString(),
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas.toString(),
    ...(operation.paymasterAndData === '0x' ? {} : { paymasterAndData: operation.paymasterAndData }),
  }
}
