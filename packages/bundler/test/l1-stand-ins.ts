import { type Hex, numberToHex } from 'viem'

const push8 = (value: bigint) => `67${numberToHex(value, { size: 8 }).slice(2)}`

/**
 * Code that stands for the OP Stack's GasPriceOracle: whatever it is asked, it answers so many wei for each byte of
 * the question, which holds the transaction.
 */
export const oracleByteCode = (weiPerByte: bigint): Hex =>
  // CALLDATASIZE × wei, stored and returned in a word
  `0x36${push8(weiPerByte)}025f5260205ff3`

/** For Arbitrum's NodeInterface: gas for each byte of the question, the base fee, and a third word of nothing. */
export const nodeInterfaceByteCode = (gasPerByte: bigint, baseFee: bigint): Hex =>
  `0x36${push8(gasPerByte)}025f52${push8(baseFee)}60205260605ff3`

/** 2^255, which nothing costs. */
export const absurdCode: Hex = '0x600160ff1b5f5260605ff3'

/** REVERT without data: code that knows no such function. */
export const revertingCode: Hex = '0x5f5ffd'
