import { type Call, requiredPrefund, type UserOperation } from '@lanyard/accounts'
import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hash,
  type Hex,
  hashTypedData,
  hexToBigInt,
  hexToNumber,
  isHex,
  size,
  slice,
  type TypedDataDefinition,
} from 'viem'
import { assertSize, encodeUint } from '../bytes.ts'
import { packOperation } from '../order/order-hash.ts'
import { type Failure, failure } from '../result.ts'

/** What the operator signs besides the operation: TokenPaymaster takes `token` at `rate` for its gas. */
export interface UnsignedTokenFee {
  /** TokenPaymaster. */
  readonly paymaster: Address
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
  readonly token: Address
  /** Base units of the token for 1 ether (10^18 wei). uint128. */
  readonly rate: bigint
  /** Units of gas that the relayer bears outside of EntryPoint's accounting. uint32. */
  readonly extraGas: number
  /** Unix seconds, the last one in which the operation may be included. uint48. */
  readonly validUntil: number
}

export interface TokenFee extends UnsignedTokenFee {
  /** 65 bytes. */
  readonly operatorSignature: Hex
}

/** TokenPaymaster.DATA_LENGTH. */
const dataLength = 163

const ether = 10n ** 18n

/**
 * `paymasterAndData` of an operation that pays its gas in a token: after the 52 bytes of ERC-4337,
 * `token (20) | rate u128 | extraGas u32 | validUntil u48 | operatorSignature (65)`.
 *
 * @throws SmartBalanceError OUT_OF_RANGE, MALFORMED naming the field
 */
export function encodeTokenFee(fee: TokenFee): Hex {
  assertSize(fee.paymaster, 20, 'paymaster')
  assertSize(fee.token, 20, 'token')
  assertSize(fee.operatorSignature, 65, 'operatorSignature')
  return concat([
    fee.paymaster,
    encodeGasLimits(fee),
    fee.token,
    encodeUint(fee.rate, 128, 'rate'),
    encodeUint(BigInt(fee.extraGas), 32, 'extraGas'),
    encodeUint(BigInt(fee.validUntil), 48, 'validUntil'),
    fee.operatorSignature,
  ]).toLowerCase() as Hex // hex in lower case is still hex
}

/** The exact inverse of {@link encodeTokenFee}. It does not know whose paymaster it is. */
export function decodeTokenFee(
  paymasterAndData: Hex,
): { readonly ok: true; readonly fee: TokenFee } | Failure<'MALFORMED'> {
  if (!isHex(paymasterAndData) || size(paymasterAndData) !== dataLength)
    return failure('MALFORMED', 'The paymaster data is no fee in a token.')
  const at = (start: number, length: number) => slice(paymasterAndData, start, start + length)
  return {
    ok: true,
    fee: {
      paymaster: getAddress(at(0, 20)),
      paymasterVerificationGasLimit: hexToBigInt(at(20, 16)),
      paymasterPostOpGasLimit: hexToBigInt(at(36, 16)),
      token: getAddress(at(52, 20)),
      rate: hexToBigInt(at(72, 16)),
      extraGas: hexToNumber(at(88, 4)),
      validUntil: hexToNumber(at(92, 6)),
      operatorSignature: at(98, 65).toLowerCase() as Hex, // hex in lower case is still hex
    },
  }
}

const encodeGasLimits = (
  fee: Pick<TokenFee, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
): Hex =>
  concat([
    encodeUint(fee.paymasterVerificationGasLimit, 128, 'paymasterVerificationGasLimit'),
    encodeUint(fee.paymasterPostOpGasLimit, 128, 'paymasterPostOpGasLimit'),
  ])

/** FEE_TYPEHASH of TokenPaymaster.sol. */
const feeTypes = {
  TokenFee: [
    { name: 'account', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCodeHash', type: 'bytes32' },
    { name: 'callDataHash', type: 'bytes32' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterGasLimits', type: 'bytes32' },
    { name: 'token', type: 'address' },
    { name: 'rate', type: 'uint128' },
    { name: 'extraGas', type: 'uint32' },
    { name: 'validUntil', type: 'uint48' },
  ],
} as const

interface TokenFeeTypedDataParameters {
  readonly fee: UnsignedTokenFee
  /** Its `paymasterAndData` is ignored. */
  readonly operation: UserOperation
  readonly chainId: number
}

/**
 * What the operator signs (EIP-712, domain `TokenPaymaster`).
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field
 */
export function getTokenFeeTypedData({ fee, operation, chainId }: TokenFeeTypedDataParameters) {
  const { token, rate, extraGas, validUntil } = fee
  return {
    domain: { name: 'TokenPaymaster', version: '1', chainId, verifyingContract: fee.paymaster },
    types: feeTypes,
    primaryType: 'TokenFee',
    message: {
      ...packOperation(operation),
      paymasterGasLimits: encodeGasLimits(fee),
      ...{ token, rate, extraGas, validUntil },
    },
  } as const satisfies TypedDataDefinition<typeof feeTypes, 'TokenFee'>
}

/** The digest of {@link getTokenFeeTypedData}. */
export const getTokenFeeHash = (parameters: TokenFeeTypedDataParameters): Hash =>
  hashTypedData(getTokenFeeTypedData(parameters))

/**
 * The most that TokenPaymaster can take for an operation, base units of the token, rounded up: all gas limits and the
 * extra gas, at the highest price that the operation offers.
 */
export function maximumTokenFee(
  operation: UserOperation,
  { rate, extraGas }: Pick<TokenFee, 'rate' | 'extraGas'>,
): bigint {
  const wei = requiredPrefund(operation) + BigInt(extraGas) * operation.maxFeePerGas
  return (wei * rate + ether - 1n) / ether
}

interface TokenFeeApproval {
  readonly token: Address
  readonly paymaster: Address
  /** Base units: {@link maximumTokenFee}. */
  readonly maximum: bigint
  /** Whether the token refuses to change an allowance that is not zero (USDT on Ethereum). */
  readonly resetFirst: boolean
}

/** The first calls of an operation that pays its gas in a token. */
export function encodeTokenFeeApproval({
  token,
  paymaster,
  maximum,
  resetFirst,
}: TokenFeeApproval): readonly Call[] {
  const approve = (amount: bigint): Call => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [paymaster, amount] }),
  })
  return resetFirst ? [approve(0n), approve(maximum)] : [approve(maximum)]
}
