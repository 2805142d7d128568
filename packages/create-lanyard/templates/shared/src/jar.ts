import { type Address, parseEther } from 'viem'

/** The chain on which the app pays: 31337 is the first local network, and its money is worth nothing. */
export const network = 31337

/** Who gets the tips. PUBLIC: the second account of every local network. */
export const recipient: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const largestTip = parseEther('1')

/**
 * Reads what a person types, such as `0.01` or `0,01`.
 *
 * @returns the tip in ETH as a decimal number, or undefined for anything that is no tip of at most 1 ETH
 */
export function parseTip(text: string): string | undefined {
  const amount = text.trim().replace(',', '.')
  if (!/^\d+(\.\d{1,18})?$/.test(amount)) return undefined
  const value = parseEther(amount)
  return value > 0n && value <= largestTip ? amount : undefined
}
