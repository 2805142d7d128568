import { concat, encodeAbiParameters, type Hash, type Hex, keccak256, parseAbiParameters, toHex } from 'viem'

/* EIP-712 by hand, as in the contracts: a check on how viem encodes our types. */

export const hashText = (text: string): Hash => keccak256(toHex(text))

/** keccak256(0x1901 ‖ domain separator ‖ struct hash). */
export const digest = (domainSeparator: Hash, structHash: Hash): Hash =>
  keccak256(concat(['0x1901', domainSeparator, structHash]))

/** SmartBalance's domain on a network. */
export const domainSeparator = (chainId: number, smartBalance: Hex): Hash =>
  keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
      hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
      hashText('SmartBalance'),
      hashText('1'),
      BigInt(chainId),
      smartBalance,
    ]),
  )

/** SmartBalance's domain for signatures that are valid on every network. */
export const domainSeparatorOfAll = (smartBalance: Hex): Hash =>
  keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, address'), [
      hashText('EIP712Domain(string name,string version,address verifyingContract)'),
      hashText('SmartBalance'),
      hashText('1'),
      smartBalance,
    ]),
  )
