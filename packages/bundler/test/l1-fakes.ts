import { type Hex, numberToHex } from 'viem'

const push8 = (value: bigint) => `67${numberToHex(value, { size: 8 }).slice(2)}`

/** The operator fee that an oracle since Isthmus returns: wei per transaction, and wei per million gas. */
interface OperatorFee {
  readonly constant: bigint
  readonly perMillionGas: bigint
}

/**
 * Code that replaces the OP Stack's GasPriceOracle. For the L1 fee it returns `weiPerByte` for each byte of
 * its call data, which contains the transaction. Without an operator fee it acts like an oracle from before
 * Isthmus, which reverts on that function.
 */
export const oracleByteCode = (weiPerByte: bigint, operatorFee?: OperatorFee): Hex =>
  // CALLDATASIZE = 36 (a selector and a number): jump to 0x18; otherwise return CALLDATASIZE × wei in a word
  `0x3660241460185736${push8(weiPerByte)}025f5260205ff35b${
    operatorFee
      ? // number × perMillionGas ÷ 1,000,000 + constant, returned likewise
        `600435${push8(operatorFee.perMillionGas)}02620f42409004${push8(operatorFee.constant)}015f5260205ff3`
      : '5f5ffd'
  }`

/** For Arbitrum's NodeInterface: gas for each byte of call data, the base fee, and an empty third word. */
export const nodeInterfaceByteCode = (gasPerByte: bigint, baseFee: bigint): Hex =>
  `0x36${push8(gasPerByte)}025f52${push8(baseFee)}60205260605ff3`

/** 2^255, above any real cost. */
export const absurdCode: Hex = '0x600160ff1b5f5260605ff3'

/** REVERT without data: code that does not have the function. */
export const revertingCode: Hex = '0x5f5ffd'
