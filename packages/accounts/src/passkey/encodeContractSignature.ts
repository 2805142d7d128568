import { type Address, concat, type Hex, numberToHex, pad, size } from 'viem'

/**
 * A Safe's contract signature (v = 0) as its only one: pad32(signer) ‖ uint256 offset of the dynamic part ‖ 0x00 ‖
 * uint256 length ‖ data (Safe.sol 1.4.1, `checkNSignatures`). The offset is 65, right behind the static part.
 */
export function encodeContractSignature(signer: Address, data: Hex): Hex {
  return concat([
    pad(signer, { size: 32 }),
    numberToHex(65, { size: 32 }),
    '0x00',
    numberToHex(size(data), { size: 32 }),
    data,
  ])
}
