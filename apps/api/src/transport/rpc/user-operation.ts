import type { SignedUserOperation } from '@lanyard/accounts'
import { address, hex, LanyardError } from '@lanyard/contracts'
import { concat, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { dropNulls } from '../../pipeline/errors/drop-nulls.ts'
import { toInputIssues } from '../../pipeline/errors/input-issues.ts'

/** The format of integers in Ethereum's JSON-RPC. */
const quantity = (bits: number) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/, 'Expected an integer in hex: 0x and up to 64 digits')
    .transform(BigInt)
    .refine((value) => value < 2n ** BigInt(bits), `Expected an integer of at most ${bits} bits`)

/** The operation of ERC-7769 for EntryPoint v0.7; its gas fields are optional. */
const unpackedOperation = z
  .object({
    sender: address,
    nonce: quantity(256),
    factory: address.optional(),
    factoryData: hex.optional(),
    callData: hex,
    callGasLimit: quantity(120).optional(),
    verificationGasLimit: quantity(120).optional(),
    preVerificationGas: quantity(120).optional(),
    maxFeePerGas: quantity(120).optional(),
    maxPriorityFeePerGas: quantity(120).optional(),
    paymaster: address.optional(),
    paymasterVerificationGasLimit: quantity(120).optional(),
    paymasterPostOpGasLimit: quantity(120).optional(),
    paymasterData: hex.optional(),
    signature: hex.optional(),
    eip7702Auth: z.never('EIP-7702 is not supported').optional(),
  })
  .refine(({ factory, factoryData }) => factory !== undefined || factoryData === undefined, {
    path: ['factory'],
    message: 'Required with factoryData',
  })

export type UnpackedOperation = z.output<typeof unpackedOperation>

const gasMembers = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'signature',
] as const

const invalid = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { message: `${path}: ${message}`, issues: [{ path, message }] })

/** @throws INVALID_INPUT naming the invalid member */
export function parseOperation(value: unknown): UnpackedOperation {
  const given = dropNulls(value)
  const { data, error } = unpackedOperation.safeParse(given)
  if (data) return data
  const [issue] = toInputIssues(error, given)
  throw invalid(issue?.path ?? '', issue?.message ?? 'Expected a user operation')
}

/**
 * Rejects paymaster fields without a paymaster, because they would not be part of the hashed operation.
 *
 * @throws INVALID_INPUT
 */
export function requirePaymaster(operation: UnpackedOperation): void {
  const { paymaster, paymasterData = '0x' } = operation
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = operation
  const isEmpty =
    paymasterData === '0x' && paymasterVerificationGasLimit === 0n && paymasterPostOpGasLimit === 0n
  if (paymaster === undefined && !isEmpty)
    throw invalid('paymaster', 'Required with paymasterData and the gas limits of a paymaster')
}

/**
 * A complete operation, as it is sent.
 *
 * @throws INVALID_INPUT for a missing member
 */
export function requireSigned(operation: UnpackedOperation): SignedUserOperation {
  for (const member of gasMembers) if (operation[member] === undefined) throw invalid(member, 'Required')
  requirePaymaster(operation)
  return toSigned(operation)
}

/** The ten fields that the account signs, and the signature; missing fields are zero. */
export function toSigned(operation: UnpackedOperation): SignedUserOperation {
  const { sender, nonce, factory, factoryData = '0x', callData, signature = '0x' } = operation
  const { callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n } = operation
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = operation
  return {
    ...{ sender, nonce, callData, signature },
    ...{ callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas },
    initCode: factory === undefined ? '0x' : (concat([factory, factoryData]).toLowerCase() as Hex), // still hex
    paymasterAndData: paymasterAndDataOf(operation),
  }
}

function paymasterAndDataOf(operation: UnpackedOperation): Hex {
  const { paymaster, paymasterData = '0x' } = operation
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = operation
  if (paymaster === undefined) return '0x'
  return concat([
    paymaster,
    numberToHex(paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(paymasterPostOpGasLimit, { size: 16 }),
    paymasterData,
  ]).toLowerCase() as Hex // still hex
}
