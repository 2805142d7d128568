import { toOwner } from '@lanyard/accounts'
import { getAddress, type Hex, hexToBigInt, size, slice } from 'viem'
import { maxValidity } from '../constants.ts'
import { type Failure, failure } from '../result.ts'
import type { Debit, Order, OrderSigner } from './order.ts'

export type DecodePaymasterAndDataResult =
  | { readonly ok: true; readonly order: Order }
  | Failure<
      /** Not exactly one order: a different version, signer tag or length, or a validUntil below `maxValidity`. */
      | 'MALFORMED'
      /** A chain id above 2^53 - 1, which no JavaScript number can represent and no network has. */
      | 'UNKNOWN_CHAIN'
    >

/** Byte offsets of the fields in PaymasterData.sol. */
const offsets = { version: 52, claimAmount: 53, validUntil: 69, debitCount: 75, debits: 76 } as const
const signerLengths = [1 + 20, 1 + 32 + 32 + 22] as const
const signatureLength = 65

/**
 * The exact inverse of {@link encodePaymasterAndData}: a decoded order encodes to the same bytes again, and
 * whatever PaymasterData.sol rejects is rejected here. `checkOrderBounds` checks the protocol's bounds.
 *
 * @param paymasterAndData any string, including untrusted input.
 */
export function decodePaymasterAndData(paymasterAndData: Hex): DecodePaymasterAndDataResult {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(paymasterAndData)) return malformed('not hex')
  const data = paymasterAndData
  const length = size(data)
  if (length <= offsets.debits) return malformed('too short')
  if (numberAt(data, offsets.version, 1) !== 1) return malformed('another version')
  const validUntil = numberAt(data, offsets.validUntil, 6)
  if (validUntil < maxValidity) return malformed('a validUntil that has no validAfter')

  const signerOffset = offsets.debits + numberAt(data, offsets.debitCount, 1) * 32
  if (length <= signerOffset) return malformed('too short for its debits')
  const signerLength = signerLengths[numberAt(data, signerOffset, 1)]
  if (signerLength === undefined) return malformed('another kind of signer')
  const signatureOffset = signerOffset + signerLength
  if (length !== signatureOffset + signatureLength) return malformed('another length')
  const debits = [...decodeDebits(data, signerOffset)]
  if (!debits.every(({ chainId }) => Number.isSafeInteger(chainId)))
    return failure('UNKNOWN_CHAIN', 'The order debits a network that cannot exist.')
  return {
    ok: true,
    order: {
      paymaster: getAddress(slice(data, 0, 20)),
      paymasterVerificationGasLimit: bigintAt(data, 20, 16),
      paymasterPostOpGasLimit: bigintAt(data, 36, 16),
      claimAmount: bigintAt(data, offsets.claimAmount, 16),
      validUntil,
      debits,
      signer: decodeSigner(data, signerOffset),
      operatorSignature: slice(data, signatureOffset).toLowerCase() as Hex, // hex in lower case is still hex
    },
  }
}

function malformed(reason: string): Failure<'MALFORMED'> {
  return failure('MALFORMED', `The paymasterAndData is not an order: ${reason}.`)
}

function* decodeDebits(data: Hex, end: number): Generator<Debit> {
  for (let offset: number = offsets.debits; offset < end; offset += 32)
    yield {
      chainId: numberAt(data, offset, 8),
      amount: bigintAt(data, offset + 8, 16),
      failFee: bigintAt(data, offset + 24, 8),
    }
}

function decodeSigner(data: Hex, offset: number): OrderSigner {
  if (numberAt(data, offset, 1) === 0)
    return toOwner({ address: getAddress(slice(data, offset + 1, offset + 21)) })
  return toOwner({
    x: bigintAt(data, offset + 1, 32),
    y: bigintAt(data, offset + 33, 32),
    verifiers: bigintAt(data, offset + 65, 22),
  })
}

function bigintAt(data: Hex, offset: number, bytes: number): bigint {
  return hexToBigInt(slice(data, offset, offset + bytes))
}

/** viem's hexToNumber throws beyond the safe integers. */
function numberAt(data: Hex, offset: number, bytes: number): number {
  return Number(bigintAt(data, offset, bytes))
}
