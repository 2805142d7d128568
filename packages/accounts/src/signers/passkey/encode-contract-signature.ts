import { type Address, encodePacked, type Hex, hexToBigInt, size } from 'viem'

/**
 * A Safe's contract signature (v = 0), as the only signature: pad32(signer) ‖ uint256 offset of the dynamic
 * part ‖ 0x00 ‖ uint256 length ‖ data (Safe.sol 1.4.1, `checkNSignatures`). The offset is 65: the dynamic
 * part directly follows the static part.
 */
export function encodeContractSignature(signer: Address, data: Hex): Hex {
  return encodePacked(
    ['uint256', 'uint256', 'uint8', 'uint256', 'bytes'],
    [hexToBigInt(signer), 65n, 0, BigInt(size(data)), data],
  )
}
