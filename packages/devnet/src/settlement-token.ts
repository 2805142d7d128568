import { devTokenAbi, devTokenBytecode } from '@lanyard/onchain'
import { type Address, encodeDeployData, type Hex } from 'viem'

/** The token that represents USDC on a local network; anyone may `mint(address,uint256)` it. */
export interface SettlementToken {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
}

/**
 * The address on every local network: a stable one is easier to configure. It is the last 20 bytes of
 * keccak256("lanyard.devnet.settlementToken").
 */
export const settlementTokenAddress: Address = '0x1de369C050d12c59EAB848C938932a347eaFa68c'

/** Creation code of the settlement token, with its constructor arguments. */
export function settlementTokenInitCode(decimals: number): Hex {
  return encodeDeployData({
    abi: devTokenAbi,
    bytecode: devTokenBytecode,
    args: ['USD Coin (local)', 'USDC', decimals],
  })
}
