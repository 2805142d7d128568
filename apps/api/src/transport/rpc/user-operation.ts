import { delegationInitCode, type SignedUserOperation } from '@lanyard/accounts'
import { address, hex, LanyardError } from '@lanyard/contracts'
import type { StoredAuthorization } from '@lanyard/database'
import { type Address, concat, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { dropNulls, toInputIssues } from '../../pipeline/parse-input.ts'
import { describeIssue } from '../../platform/errors/describe-issue.ts'

/** The format of integers in Ethereum's JSON-RPC. */
const quantity = (bits: number) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/, 'Expected an integer in hex: 0x and up to 64 digits')
    .transform(BigInt)
    .refine((value) => value < 2n ** BigInt(bits), `Expected an integer of at most ${bits} bits`)

/** EIP-7702's signed tuple. Numbers stay below 2^53, as in JSON. */
const signedTuple = z
  .object({
    chainId: quantity(53).transform(Number),
    address,
    nonce: quantity(53).transform(Number),
    yParity: quantity(1).transform(Number),
    r: quantity(256),
    s: quantity(256),
  })
  .transform(({ r, s, ...rest }) => ({
    ...rest,
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
  })) satisfies z.ZodType<StoredAuthorization>

/** What ERC-7769 names in place of a factory while the sender is an EOA that its authorisation delegates. */
const delegationMarker = z
  .string()
  .regex(/^0x7702(0{36})?$/)
  .transform((): Hex => delegationInitCode)

/** The operation of ERC-7769 for EntryPoint v0.7 or v0.8; its gas fields are optional. */
const unpackedOperation = z
  .object({
    sender: address,
    nonce: quantity(256),
    factory: z.union([delegationMarker, address], 'Expected an address, or 0x7702').optional(),
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
    eip7702Auth: signedTuple.optional(),
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

/** The error of a member of an operation. */
export const invalidMember = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { message: `${path}: ${message}`, issues: [{ path, message }] })

/** @throws INVALID_INPUT naming the invalid member */
export function parseOperation(value: unknown): UnpackedOperation {
  const given = dropNulls(value)
  const { data, error } = unpackedOperation.safeParse(given, { error: describeIssue })
  if (data) return data
  const [issue] = toInputIssues(error, given)
  throw invalidMember(issue?.path ?? '', issue?.message ?? 'Expected a user operation')
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
    throw invalidMember('paymaster', 'Required with paymasterData and the gas limits of a paymaster')
}

/**
 * A complete operation, as it is sent.
 *
 * @throws INVALID_INPUT for a missing member
 */
export function requireSigned(operation: UnpackedOperation, entryPoint: Address): SentOperation {
  for (const member of gasMembers)
    if (operation[member] === undefined) throw invalidMember(member, 'Required')
  requirePaymaster(operation)
  return toSigned(operation, entryPoint)
}

/** An operation as it came. */
export interface SentOperation extends SignedUserOperation {
  readonly entryPoint: Address
  readonly authorization?: StoredAuthorization
}

/** The ten fields that the account signs, its signature and its authorisation; missing fields are zero. */
export function toSigned(operation: UnpackedOperation, entryPoint: Address): SentOperation {
  const { sender, nonce, factory, factoryData = '0x', callData, signature = '0x' } = operation
  const { callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n } = operation
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, eip7702Auth } = operation
  return {
    ...{ sender, nonce, callData, signature },
    ...{ callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas },
    initCode: factory === undefined ? '0x' : (concat([factory, factoryData]).toLowerCase() as Hex), // still hex
    paymasterAndData: paymasterAndDataOf(operation),
    entryPoint,
    ...(eip7702Auth && { authorization: eip7702Auth }),
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
