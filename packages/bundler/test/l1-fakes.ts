import { type Hex, numberToHex } from 'viem'

const push8 = (value: bigint) => `67${numberToHex(value, { size: 8 }).slice(2)}`

/** What an oracle since Isthmus says of the operator's fee: wei a transaction, and wei for a million of gas. */
interface OperatorFee {
  readonly constant: bigint
  readonly perMillionGas: bigint
}

/**
 * Code that stands for the OP Stack's GasPriceOracle: asked for the L1 fee, it answers so many wei for each byte of the
 * question, which holds the transaction. Without an operator's fee it is one from before Isthmus, which reverts when it
 * is asked for that.
 */
export const oracleByteCode = (weiPerByte: bigint, operatorFee?: OperatorFee): Hex =>
  // CALLDATASIZE = 36 (a selector and a number): jump to 0x18; else CALLDATASIZE × wei, stored and returned in a word
  `0x3660241460185736${push8(weiPerByte)}025f5260205ff35b${
    operatorFee
      ? // number × perMillionGas ÷ 1,000,000 + constant, likewise
        `600435${push8(operatorFee.perMillionGas)}02620f42409004${push8(operatorFee.constant)}015f5260205ff3`
      : '5f5ffd'
  }`

/** For Arbitrum's NodeInterface: gas for each byte of the question, the base fee, and a third word of nothing. */
export const nodeInterfaceByteCode = (gasPerByte: bigint, baseFee: bigint): Hex =>
  `0x36${push8(gasPerByte)}025f52${push8(baseFee)}60205260605ff3`

/** 2^255, which nothing costs. */
export const absurdCode: Hex = '0x600160ff1b5f5260605ff3'

/** REVERT without data: code that knows no such function. */
export const revertingCode: Hex = '0x5f5ffd'
